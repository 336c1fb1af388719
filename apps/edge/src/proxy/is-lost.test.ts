import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { get, HOST, startApp, startIngress } from '../../test/ingress-fixture.ts';
import { silentAddress, startLosable } from '../../test/silent-address.ts';
import { isLost } from './is-lost.ts';
import { LIMITS } from './limits.ts';

it('is lost when it neither accepts nor refuses connections', async () => {
  expect(await isLost(await silentAddress(), 300)).toBe(true);
});

it('is not lost when it accepts or refuses connections', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  expect(await isLost({ host: '127.0.0.1', port: address.port }, 60_000)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isLost({ host: '127.0.0.1', port: address.port }, 60_000)).toBe(false);
});

it('sends a request to another instance when the machine of an instance that left the route is lost', async () => {
  const lost = await startLosable();
  const other = await startApp((_incoming, response) => response.end('other'));
  const { ingress, port } = await startIngress();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [lost.address] });
  const response = get(port);
  await lost.requested();
  await lost.lose();
  const leftAt = performance.now();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [other] });
  expect(await response).toContain('other');
  // Timers may fire a millisecond early.
  expect(performance.now() - leftAt).toBeGreaterThan(LIMITS.connectMs - 10);
}, 60_000);
