import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from './server.ts';

const WEBSOCKET =
  'Host: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

let server: HttpServer;
beforeEach(async () => {
  server = await startHttpServer({
    app: new Hono().get('/', (context) => context.text('hello')),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost',
    allowedOrigins: [],
    upgrades: { '/socket': (_, socket) => void socket.end('HTTP/1.1 101 Opened\r\n\r\n') },
    limits: { headersMs: 200, checkMs: 50 },
  });
});
afterEach(() => server.stop());

describe('a request that never reaches the app', () => {
  it.each([
    ['not HTTP', 'ahoy\r\n\r\n', 400, 'invalid-request'],
    [
      'an invalid host',
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a path with a backslash',
      'GET /\\etc HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}`, 431, 'headers-too-large'],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: here\r\n', 408, 'request-timeout'],
    ['an upgrade of an unknown path', `GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`, 404, 'not-found'],
    ['an upgrade of an empty path', `GET // HTTP/1.1\r\n${WEBSOCKET}`, 404, 'not-found'],
    [
      'an upgrade of a path named like an object method',
      `GET /constructor HTTP/1.1\r\n${WEBSOCKET}`,
      404,
      'not-found',
    ],
    ['an upgrade for an unknown host', `GET /socket HTTP/1.1\r\n${WEBSOCKET}`, 421, 'unknown-host'],
    [
      'an upgrade by a page of another origin',
      `GET /socket HTTP/1.1\r\nOrigin: https://evil.example\r\n${WEBSOCKET.replace('here', 'localhost')}`,
      403,
      'unknown-origin',
    ],
  ])('is refused with JSON: %s', async (_, request, status, error) => {
    const response = await send(request);
    expect(response).toMatch(`HTTP/1.1 ${status} `);
    expect(response.toLowerCase()).toContain("content-security-policy: default-src 'self'");
    expect(response).toContain(`{"status":${status},"error":"${error}","message":"`);
  });
});

it('passes an upgrade to the handler of its path', async () => {
  const request = `GET /socket HTTP/1.1\r\n${WEBSOCKET.replace('here', 'localhost')}`;
  expect(await send(request)).toMatch('HTTP/1.1 101 Opened');
});

it('survives a client that requests an upgrade and disconnects', async () => {
  const client = open(`GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`);
  await once(client, 'connect');
  const gone = once(client, 'close');
  client.resetAndDestroy();
  await gone;
  expect(await send('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')).toContain(
    'hello',
  );
});

it('serves a request for an upgrade to another protocol as plain HTTP', async () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n';
  const client = open(`GET / HTTP/1.1\r\nHost: here\r\n${upgrade}\r\n`);
  const [response] = (await once(client, 'data')) as [Buffer];
  expect(String(response)).toMatch('HTTP/1.1 200 ');
  client.destroy();
});

it('stops although a refused client never closes its connection', async () => {
  const client = open(`GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`, { allowHalfOpen: true });
  client.resume();
  await once(client, 'end');
  await server.stop();
  client.destroy();
});

function open(request: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const client = connect({ host: '127.0.0.1', port: server.port, ...options });
  client.on('error', () => {});
  client.write(request);
  return client;
}

/** Returns all bytes until the server closes the connection. */
async function send(request: string): Promise<string> {
  const client = open(request);
  const response = await text(client);
  client.destroy();
  return response;
}

it('serves while it drains, and closes each connection after its response', async () => {
  const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
  const socket = connect({ host: '127.0.0.1', port: server.port });
  socket.write(request);
  const [first] = await once(socket, 'data');
  expect(String(first)).toContain('Connection: keep-alive');
  await server.drain(0);
  socket.write(request);
  const rest = await text(socket);
  expect(rest).toMatch(/^HTTP\/1.1 200 /);
  expect(rest).toContain('Connection: close');
});
