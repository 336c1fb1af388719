import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findFreePort } from '../../engines/free-port.ts';
import {
  type ForwardedRegistry,
  type RegistryForwarder,
  startRegistryForwarder,
} from './registry-forwarder.ts';

const MANIFEST = '/v2/library/app/manifests/latest';
const BLOB = randomBytes(3 * 1024 * 1024);
const DIGEST = `sha256:${createHash('sha256').update(BLOB).digest('hex')}`;
/** MiB that fit into no buffer of a socket. */
const MANY = 200;
const LIMITS = { idleMs: 20_000, totalMs: 20_000, connectionsPerAddress: 32 };

/** The registry behind the forwarder. `answers` are by path; others are 404. */
let registry: Server;
let received: IncomingMessage[];
let answers: Record<string, (write: WriteAnswer) => void>;
let forwarder: RegistryForwarder;
const closing: (() => Promise<unknown>)[] = [];

type WriteAnswer = (status: number, headers: Record<string, string>, body?: Buffer) => void;

beforeEach(async () => {
  received = [];
  answers = {
    [MANIFEST]: (write) =>
      write(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' }, Buffer.from('{}')),
    [`/v2/library/app/blobs/${DIGEST}`]: (write) => write(200, {}, BLOB),
  };
  registry = createServer((request, response) => {
    received.push(request);
    const answer = answers[request.url?.split('?')[0] ?? ''] ?? ((write) => write(404, {}));
    answer((status, headers, body) => response.writeHead(status, headers).end(body));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  forwarder = await start();
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  registry.closeAllConnections();
  registry.close();
});

async function start(
  settings: Partial<ForwardedRegistry> = {},
  limits = LIMITS,
): Promise<RegistryForwarder> {
  const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const forwarded = { name: 'docker.io', path: '', isInsecure: false, ...settings };
  const started = await startRegistryForwarder({ origins: [origin], ...forwarded }, { limits });
  closing.push(started.close);
  return started;
}

const get = (path: string, init?: RequestInit, { port } = forwarder) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });

/** Sends bytes as they are, and returns everything that comes back until the connection ends. */
async function raw(bytes: string, { port } = forwarder): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  return await text(socket).catch(() => '');
}

it('passes images on, with the headers that describe them', async () => {
  const response = await get(`${MANIFEST}?ns=docker.io`);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(await response.text()).toBe('{}');
  const blob = await get(`/v2/library/app/blobs/${DIGEST}`);
  expect(Buffer.from(await blob.arrayBuffer()).equals(BLOB)).toBe(true);
  expect((await get('/v2/library/app/manifests/none')).status).toBe(404);
});

it('passes neither passwords nor the host of the client on', async () => {
  const headers = { authorization: 'Basic eDp5', cookie: 'a=b', accept: 'application/json' };
  await get(MANIFEST, { method: 'HEAD', headers });
  const [request] = received;
  expect(request).toMatchObject({ method: 'HEAD', headers: { accept: 'application/json' } });
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(request?.headers).not.toHaveProperty('cookie');
  expect(request?.headers.host).toBe(`127.0.0.1:${(registry.address() as AddressInfo).port}`);
});

it.each([
  ['another method', 'DELETE /v2/library/app/manifests/latest HTTP/1.1\r\nHost: x', 405],
  ['an upload', 'POST /v2/library/app/blobs/uploads/ HTTP/1.1\r\nHost: x', 405],
  ['a tunnel', 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x', undefined],
  ['another host', 'GET http://169.254.169.254/v2/a/manifests/b HTTP/1.1\r\nHost: x', 404],
  ['the catalog', 'GET /v2/_catalog HTTP/1.1\r\nHost: x', 404],
  ['a parent folder', 'GET /v2/../metrics HTTP/1.1\r\nHost: x', 404],
  ['an encoded path', 'GET /v2/%2e%2e/metrics HTTP/1.1\r\nHost: x', 404],
  ['a body', `GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\nContent-Length: 30`, 400],
  [
    'two lengths',
    `GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 3`,
    400,
  ],
  [
    'a smuggled body',
    `GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3`,
    400,
  ],
  ['no host', `GET ${MANIFEST} HTTP/1.1\r\nX: y`, 400],
  ['large headers', `GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(9_000)}`, 431],
  ['HTTP/2', 'PRI * HTTP/2.0', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01', 400],
])('refuses %s before the registry sees it', async (_, head, status) => {
  const response = await raw(
    `${head}\r\n\r\nGET /v2/smuggled/manifests/x HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  const statusLine = status === undefined ? '' : `HTTP/1.1 ${status}`;
  expect(response.slice(0, statusLine.length || undefined)).toBe(statusLine);
  expect(received).toEqual([]);
});

it('does not upgrade a connection', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const socket = connect(forwarder.port, '127.0.0.1');
  socket.write(`GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 200/);
  expect(received[0]?.headers.upgrade).toBeUndefined();
});

it('ends a connection with a second request before the first response', async () => {
  const release = Promise.withResolvers<void>();
  answers[MANIFEST] = (write) => void release.promise.then(() => write(200, {}));
  await raw(`GET ${MANIFEST} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200));
  expect(received.length).toBeLessThanOrEqual(1);
  release.resolve();
});

it.each([
  ['/v2/library/other/manifests/latest', 302, '/v2/library/other/manifests/latest'],
  ['http://169.254.169.254/latest/meta-data', 502, null],
  ['/v2/_catalog', 502, null],
])('rewrites or refuses a redirect to %s', async (location, status, expected) => {
  answers[MANIFEST] = (write) => write(302, { location });
  const response = await get(MANIFEST);
  expect(response.status).toBe(status);
  expect(response.headers.get('location')).toBe(expected);
});

it('hides where the registry gets its tokens', async () => {
  answers[MANIFEST] = (write) =>
    write(401, { 'www-authenticate': 'Bearer realm="http://127.0.0.1:8080/token"' });
  const response = await get(MANIFEST);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBeNull();
});

it('offers only the configured repositories', async () => {
  const team = await start({ name: 'localhost:5000', path: 'team' });
  expect((await get(MANIFEST, {}, team)).status).toBe(404);
  expect(received).toEqual([]);
});

it('behaves like an unreachable registry if there is none, so that BuildKit asks the next one', async () => {
  const origins: [string] = [`http://127.0.0.1:${await findFreePort(new Set())}`];
  await expect(get(MANIFEST, {}, await start({ origins }))).rejects.toThrow('fetch failed');
});

it('tries the next origin of an insecure registry', async () => {
  const { port } = registry.address() as AddressInfo;
  const origins: [string, string] = [`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`];
  const response = await get(MANIFEST, {}, await start({ origins, isInsecure: true }));
  expect(response.status).toBe(200);
});

it('ends a response that the registry does not finish', async () => {
  answers[MANIFEST] = () => {};
  registry.once('request', (_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345', () => response.destroy());
  });
  const response = await get(MANIFEST);
  await expect(response.text()).rejects.toThrow();
});

it('gives up on a registry or client without progress', async () => {
  answers[MANIFEST] = () => {};
  const impatient = await start({}, { ...LIMITS, idleMs: 100 });
  await expect(get(MANIFEST, {}, impatient)).rejects.toThrow('fetch failed');
  expect(await raw('GET /v2/', impatient)).not.toContain('200');
});

it('ends the request to the registry when the client leaves', async () => {
  answers[MANIFEST] = () => {};
  const left = new AbortController();
  const response = get(MANIFEST, { signal: left.signal });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  const closed = once(received[0]?.socket as Socket, 'close');
  left.abort();
  await expect(response).rejects.toThrow();
  await closed;
});

it('reads from the registry only as fast as the client', async () => {
  const path = `/v2/library/app/blobs/${DIGEST}`;
  let chunks = 0;
  answers[path] = () => {};
  registry.once('request', (_, response) => {
    const write = () => {
      chunks += 1;
      response.write(Buffer.alloc(1024 * 1024), () => chunks < MANY && write());
    };
    write();
  });
  const { port } = await start({}, { ...LIMITS, idleMs: 500 });
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  // The buffers of the sockets fill up first. A connection without progress ends.
  await vi.waitFor(() => expect(received[0]?.socket.destroyed).toBe(true), { timeout: 20_000 });
  expect(chunks).toBeLessThan(MANY / 2);
  socket.destroy();
});

it('limits the connections of one builder', async () => {
  const small = await start({}, { ...LIMITS, connectionsPerAddress: 2 });
  const sockets = [1, 2, 3].map(() => connect(small.port, '127.0.0.1').on('error', () => {}));
  const third = sockets[2] as Socket;
  await once(third, 'close');
  expect(sockets.map(({ closed }) => closed)).toEqual([false, false, true]);
  sockets[0]?.destroy();
  await vi.waitFor(async () => expect((await get('/v2/', {}, small)).status).toBe(404));
  sockets[1]?.destroy();
});

it('ends open connections when it closes', async () => {
  answers[MANIFEST] = () => {};
  const own = await start();
  const response = get(MANIFEST, {}, own);
  await vi.waitFor(() => expect(received).toHaveLength(1));
  await Promise.all([expect(response).rejects.toThrow(), own.close()]);
  closing.pop();
});
