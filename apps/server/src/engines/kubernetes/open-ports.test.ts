import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { COMMON_PORTS, openPorts } from './open-ports.ts';

it('finds the ports that accept connections', async () => {
  const server = createServer();
  const closed = createServer();
  const ports: number[] = [];
  for (const each of [server, closed]) {
    each.listen(0, '127.0.0.1');
    await once(each, 'listening');
    ports.push((each.address() as AddressInfo).port);
  }
  closed.close();
  await once(closed, 'close');
  expect(await openPorts('127.0.0.1', ports, 5_000)).toEqual(ports.slice(0, 1));
  server.close();
});

it('looks for each port once', () => {
  expect(new Set(COMMON_PORTS).size).toBe(COMMON_PORTS.length);
});
