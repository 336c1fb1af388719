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
    upgrades: { '/socket': (_, socket) => void socket.end('HTTP/1.1 101 Opened\r\n\r\n') },
    limits: { headersMs: 200, checkMs: 50 },
  });
});
afterEach(() => server.stop());

describe('a request that cannot be answered by the app', () => {
  it.each([
    ['no HTTP at all', 'ahoy\r\n\r\n', 400, 'invalid-request'],
    [
      'a broken host',
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    [
      'a path for Windows',
      'GET /\\etc HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
      400,
      'invalid-request',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}`, 431, 'headers-too-large'],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: here\r\n', 408, 'request-timeout'],
    ['an upgrade to nothing', `GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`, 404, 'not-found'],
    ['an upgrade without a path', `GET // HTTP/1.1\r\n${WEBSOCKET}`, 404, 'not-found'],
    ['an upgrade of a method', `GET /constructor HTTP/1.1\r\n${WEBSOCKET}`, 404, 'not-found'],
    [
      'an upgrade under a strange name',
      `GET /socket HTTP/1.1\r\n${WEBSOCKET}`,
      421,
      'unknown-host',
    ],
    [
      'an upgrade by a strange page',
      `GET /socket HTTP/1.1\r\nOrigin: https://evil.example\r\n${WEBSOCKET.replace('here', 'localhost')}`,
      403,
      'unknown-origin',
    ],
  ])('is refused in JSON: %s', async (_, request, status, error) => {
    const answer = await send(request);
    expect(answer).toMatch(`HTTP/1.1 ${status} `);
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'self'");
    expect(answer).toContain(`{"status":${status},"error":"${error}","message":"`);
  });
});

it('hands an upgrade over to the one who is there for it', async () => {
  const request = `GET /socket HTTP/1.1\r\n${WEBSOCKET.replace('here', 'localhost')}`;
  expect(await send(request)).toMatch('HTTP/1.1 101 Opened');
});

it('outlives a caller who asks for an upgrade and is gone', async () => {
  const caller = open(`GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`);
  await once(caller, 'connect');
  const gone = once(caller, 'close');
  caller.resetAndDestroy();
  await gone;
  expect(await send('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')).toContain(
    'hello',
  );
});

it('answers as it is what asks for another protocol than websockets', async () => {
  const wish = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n';
  const caller = open(`GET / HTTP/1.1\r\nHost: here\r\n${wish}\r\n`);
  const [answer] = (await once(caller, 'data')) as [Buffer];
  expect(String(answer)).toMatch('HTTP/1.1 200 ');
  caller.destroy();
});

it('stops although a refused caller never hangs up', async () => {
  const caller = open(`GET /nowhere HTTP/1.1\r\n${WEBSOCKET}`, { allowHalfOpen: true });
  caller.resume();
  await once(caller, 'end');
  await server.stop();
  caller.destroy();
});

function open(request: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const caller = connect({ host: '127.0.0.1', port: server.port, ...options });
  caller.on('error', () => {});
  caller.write(request);
  return caller;
}

/** Answers what came until the server hung up, which a test waits for. */
async function send(request: string): Promise<string> {
  const caller = open(request);
  const answer = await text(caller);
  caller.destroy();
  return answer;
}
