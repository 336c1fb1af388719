import { once } from 'node:events';
import { SERVICE_PATHS } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Backend, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { type HttpServer, startHttpServer } from './server.ts';

const PUBLIC_URL = 'http://localhost:1337';
const CLIENT = 'https://app.example.com';
const FOREIGN = [
  'http://localhost:3000',
  'http://127.0.0.1:1337',
  'http://[::1]:5173',
  'http://shop-0123456789ab.localhost:8080',
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'null',
];

let backend: Backend;
let server: HttpServer;
beforeAll(async () => {
  backend = await startBackend({ settings: { allowedOrigins: [CLIENT] } });
  const { upgrade } = backend.graphql.sockets;
  server = await startHttpServer({
    app: backend.app,
    host: '127.0.0.1',
    port: 0,
    publicUrl: PUBLIC_URL,
    allowedOrigins: [CLIENT],
    upgrades: Object.fromEntries(SERVICE_PATHS.graphql.map((path) => [path, upgrade])),
  });
});
afterAll(async () => {
  await server.stop();
  await stopWithoutErrors(backend);
});

const PATHS = Object.values(SERVICE_PATHS).flat();

async function allowedOrigin(path: string, origin: string, init: RequestInit = {}) {
  const headers = { origin, ...(init.headers as Record<string, string>) };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}/x`, { ...init, headers });
  await response.arrayBuffer();
  return response.headers.get('access-control-allow-origin');
}

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  },
};

describe.each(PATHS)('%s', (path) => {
  it.each([PUBLIC_URL, CLIENT])('lets pages of %s read responses', async (origin) => {
    expect(await allowedOrigin(path, origin)).toBe(origin);
    expect(await allowedOrigin(path, origin, PREFLIGHT)).toBe(origin);
  });

  it('lets no other page read responses', async () => {
    for (const origin of FOREIGN) {
      expect([origin, await allowedOrigin(path, origin)]).toEqual([origin, null]);
      expect([origin, await allowedOrigin(path, origin, PREFLIGHT)]).toEqual([origin, null]);
    }
  });
});

/** The status of the response to a handshake. */
async function handshake(path: string, origin: string | undefined): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, 'graphql-transport-ws', {
    headers: { host: 'localhost:1337' },
    ...(origin === undefined ? {} : { origin }),
  });
  const opened = once(socket, 'open').then(() => 101);
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
  const status = await Promise.race([opened, refused]);
  socket.on('error', () => {});
  socket.terminate();
  return status;
}

describe.each(SERVICE_PATHS.graphql)('a websocket at %s', (path) => {
  it.each([undefined, PUBLIC_URL, CLIENT])('opens for the origin %s', async (origin) => {
    expect(await handshake(path, origin)).toBe(101);
  });

  it.each(FOREIGN)('is refused for the origin %s', async (origin) => {
    expect(await handshake(path, origin)).toBe(403);
  });
});

describe('a page that posts without reading the response', () => {
  async function signUp(headers: Record<string, string>, path = '/v1/auth/signup/email-password') {
    const email = `${crypto.randomUUID()}@example.com`;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'text/plain', ...headers },
      body: JSON.stringify({ email, password: 'correct horse' }),
    });
    const query = backend.db.selectFrom('auth.users').select('id').where('email', '=', email);
    return { status: response.status, users: await query.execute() };
  }

  it.each([
    ['cross-site', 'https://evil.example'],
    ['cross-site', 'null'],
    ['same-site', 'http://localhost:3000'],
  ])('creates no account if it is foreign (%s, %s)', async (site, origin) => {
    const answer = await signUp({ origin, 'sec-fetch-site': site });
    expect(answer).toEqual({ status: 403, users: [] });
  });

  it.each([
    ['the console', { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }],
    [
      'the console at another address',
      { origin: 'http://10.0.0.2', 'sec-fetch-site': 'same-origin' },
    ],
    ['an allowed page', { origin: CLIENT, 'sec-fetch-site': 'cross-site' }],
    ['a program', {}],
  ])('creates an account if it is %s', async (_, headers) => {
    expect(await signUp(headers)).toMatchObject({ status: 200, users: [{}] });
  });

  it('may be the form of a provider', async () => {
    const headers = { origin: 'https://provider.example', 'sec-fetch-site': 'cross-site' };
    const { status } = await signUp(headers, '/v1/auth/signin/provider/google/callback');
    expect(status).toBe(303);
  });
});
