import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from './connection.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';

async function connectTo(listener: RequestListener, { maxRequestsPerSocket = 0 } = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  let sockets = 0;
  server.on('connection', () => {
    sockets += 1;
  });
  await once(server, 'listening');
  const connection = await openConnection((server.address() as AddressInfo).port);
  onTestFinished(() => {
    connection.close();
    server.close();
  });
  return { send: () => connection.send(REQUEST), sockets: () => sockets };
}

it('continues on a new connection after the last response of one', async () => {
  const { send, sockets } = await connectTo((_, response) => response.end('here'), {
    maxRequestsPerSocket: 2,
  });
  for (let count = 0; count < 4; count += 1) {
    expect(await send()).toMatchObject({ status: 200, body: 'here' });
  }
  expect(sockets()).toBe(3);
});

it('rejects a request whose connection closes without a response', async () => {
  const { send } = await connectTo((_, response) => response.destroy());
  await expect(send()).rejects.toThrow('closed the connection');
});
