import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { selfSigned } from '../../../test/certificates/self-signed.ts';
import { createTransport, type Transport, type TransportRequest } from './transport.ts';

const TIMEOUTS = { connectMs: 5_000, pingMs: 20, pongMs: 20_000, idleMs: 60_000 };
/** Too short for a machine that is very busy: only for connections that break. */
const SHORT_PONG = { ...TIMEOUTS, pongMs: 1_000 };
let tls: { cert: string; key: string };
beforeAll(async () => {
  tls = await selfSigned(['localhost']);
});

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Handle = (stream: ServerHttp2Stream, path: string) => void;

/** A server with the connections that it has accepted. */
async function serve(handle: Handle, options: SecureServerOptions = {}) {
  const sessions: ServerHttp2Session[] = [];
  const sockets: TLSSocket[] = [];
  const server: Http2SecureServer = createSecureServer({ ...tls, ...options });
  server.on('session', (session) => sessions.push(session));
  server.on('secureConnection', (socket) => sockets.push(socket));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    handle(stream, String(headers[':path']));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;
  const transport = createTransport(new URL(origin), TIMEOUTS);
  return { origin, sessions, sockets, get: getter(transport, origin) };
}

/** Passes bytes on, until it is frozen: then the connection stays open, but nothing arrives. */
async function startProxy(to: number) {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((client) => {
    const backend = connect(to, '127.0.0.1');
    pairs.push([client, backend]);
    for (const socket of [client, backend]) socket.on('error', () => {});
    client.pipe(backend).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => {
    for (const socket of pairs.flat()) socket.destroy();
    server.close();
  });
  const freeze = () => {
    for (const socket of pairs.flat()) socket.unpipe().pause();
  };
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, freeze };
}

function getter(transport: Transport, origin: string) {
  return (
    path: string,
    options: TransportRequest['options'] = {},
    { signal } = new AbortController(),
  ) => {
    const access = { method: 'GET', headers: {}, ca: tls.cert, signal, ...options };
    return transport(new URL(path, origin), { options: access, body: undefined, signal });
  };
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += chunk.toString('utf8');
  return text;
}

/** Responds, and keeps the responses of paths with "watch" open. */
const hold: Handle = (stream, path) => {
  stream.respond({ ':status': 200 });
  if (path.includes('watch')) stream.write('first');
  else stream.end(path);
};

it('sends requests at the same time over one connection', async () => {
  const { get, sessions } = await serve(hold);
  const open = await get('/watch');
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
  const texts = await Promise.all(paths.map(async (path) => textOf((await get(path)).body)));
  expect(texts).toEqual(paths);
  expect(open.status).toBe(200);
  expect(sessions).toHaveLength(1);
});

it('opens another connection when the server allows no more requests on the first', async () => {
  const { get, sessions } = await serve(hold, { settings: { maxConcurrentStreams: 10 } });
  await get('/watch');
  for (let number = 1; number < 25; number += 1) await get('/watch');
  expect(sessions).toHaveLength(3);
});

it('opens another connection for other certificates, but not for other tokens', async () => {
  const { get, sessions } = await serve(hold);
  await textOf((await get('/', { headers: { authorization: 'Bearer one' } })).body);
  await textOf((await get('/', { headers: { authorization: 'Bearer two' } })).body);
  expect(sessions).toHaveLength(1);
  await textOf((await get('/', { cert: tls.cert, key: tls.key })).body);
  expect(sessions).toHaveLength(2);
});

it('rejects a body whose connection breaks, and connects again', async () => {
  const { get, sockets } = await serve(hold);
  const { body } = await get('/watch');
  const reading = textOf(body);
  sockets[0]?.destroy();
  await expect(reading).rejects.toThrow();
  expect(await textOf((await get('/again')).body)).toBe('/again');
});

it('aborts a request, and no other one on its connection', async () => {
  const { get, sessions } = await serve(hold);
  const aborting = new AbortController();
  const { body } = await get('/watch', {}, aborting);
  const aborted = textOf(body);
  const reading = textOf((await get('/watch')).body);
  aborting.abort();
  await expect(aborted).rejects.toThrow();
  expect(await textOf((await get('/other')).body)).toBe('/other');
  expect(sessions).toHaveLength(1);
  sessions[0]?.destroy();
  await expect(reading).rejects.toThrow();
});

it('rejects a body that the server aborts', async () => {
  const { get } = await serve((stream) => {
    stream.respond({ ':status': 200 });
    stream.write('line', () => stream.destroy(new Error('failed')));
  });
  await expect(get('/').then(({ body }) => textOf(body))).rejects.toThrow();
});

it('rejects a request that is not answered because the connection breaks', async () => {
  const { get, sockets } = await serve(() => sockets[0]?.destroy());
  await expect(get('/')).rejects.toThrow();
});

it.each([
  ['nothing waits to be sent', 0],
  ['more waits to be sent than the system takes', 1_500],
])('replaces a connection on which nothing arrives any more while %s', async (_, waiting) => {
  const { origin, sockets } = await serve(hold);
  const proxy = await startProxy(Number(new URL(origin).port));
  const get = getter(createTransport(new URL(proxy.origin), SHORT_PONG), proxy.origin);
  const reading = textOf((await get('/watch')).body);
  proxy.freeze();
  const unanswered = Array.from({ length: waiting }, () => get(`/${'x'.repeat(4_000)}`));
  const ended = Promise.allSettled(unanswered);
  await expect(reading).rejects.toThrow();
  await expect.poll(() => get('/again')).toMatchObject({ status: 200 });
  expect(sockets.length).toBeGreaterThan(1);
  for (const { status } of await ended) expect(status).toBe('rejected');
});

it('closes a connection after its only request was aborted before it was open', async () => {
  const { origin, sessions } = await serve(hold);
  const transport = createTransport(new URL(origin), { ...TIMEOUTS, idleMs: 1 });
  const aborting = new AbortController();
  const request = getter(transport, origin)('/', {}, aborting);
  aborting.abort();
  await expect(request).rejects.toThrow();
  await expect.poll(() => sessions.map(({ destroyed }) => destroyed)).toEqual([true]);
});

it('keeps a connection on which nothing but pings is sent', async () => {
  const { get, sessions } = await serve(hold);
  const { body } = await get('/watch');
  const reading = textOf(body);
  let pings = 0;
  sessions[0]?.on('ping', () => {
    pings += 1;
  });
  await expect.poll(() => pings).toBeGreaterThan(20);
  sessions[0]?.destroy();
  await expect(reading).rejects.toThrow();
});

it('finishes requests of a server that shuts down, and sends others over a new connection', async () => {
  const held: ServerHttp2Stream[] = [];
  const { get, sessions } = await serve((stream, path) => {
    hold(stream, path);
    if (path === '/watch') held.push(stream);
  });
  const reading = textOf((await get('/watch')).body);
  sessions[0]?.goaway(0);
  await expect
    .poll(async () => {
      await textOf((await get('/')).body);
      return sessions.length;
    })
    .toBe(2);
  held[0]?.end(' last');
  expect(await reading).toBe('first last');
});

it('sends a request again that the server has refused to process', async () => {
  const paths: string[] = [];
  const { get, sessions } = await serve((stream, path) => {
    paths.push(path);
    if (paths.length === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else hold(stream, path);
  });
  expect(await textOf((await get('/busy')).body)).toBe('/busy');
  expect(paths).toEqual(['/busy', '/busy']);
  expect(sessions).toHaveLength(1);
});

it('uses HTTP/1.1 with a server that does not offer HTTP/2', async () => {
  const server = createHttpsServer(tls, (request, response) => response.end(request.httpVersion));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;
  const get = getter(createTransport(new URL(origin), TIMEOUTS), origin);
  for (const _ of [1, 2]) expect(await textOf((await get('/')).body)).toBe('1.1');
});
