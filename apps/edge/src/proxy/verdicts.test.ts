import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSimulatedClock, eventually } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { exchange, get, HOST, startApp } from '../../test/ingress-fixture.ts';
import { readyTarget, startProxy } from '../../test/proxy-fixture.ts';
import type { ProxyDeps } from './proxy.ts';
import type { EndedRequest, RequestFacts, Verdict } from './request-facts.ts';

type Listener = Parameters<typeof startApp>[0];

/** A proxy with an app that has settings, and follows this verdict. */
async function startWithVerdict(
  verdict: Verdict | Promise<Verdict> | undefined,
  listener: Listener = (_incoming, response) => response.end('from the app'),
  deps: Partial<ProxyDeps> = {},
) {
  const app = await startApp(listener);
  const facts: RequestFacts[] = [];
  const ended: Pick<EndedRequest, 'appId' | 'path' | 'status' | 'bytesIn' | 'bytesOut'>[] = [];
  const { proxy, port } = await startProxy({
    decide(_policy, of) {
      facts.push(of);
      return verdict;
    },
    onRequestEnd: ({ appId, path, status, bytesIn, bytesOut }) =>
      void ended.push({ appId, path, status, bytesIn, bytesOut }),
    ...deps,
  });
  const state = { kind: 'live' as const, targets: [readyTarget(app)] };
  proxy.apply({ routes: [{ appId: 'app-1', hosts: [HOST], state, policy: {} }] });
  return { proxy, port, app, facts, ended };
}

const REFUSED: Verdict = {
  kind: 'respond',
  status: 401,
  headers: { 'WWW-Authenticate': 'Basic' },
  body: 'who?',
};
const post = (body: string, framing = `Content-Length: ${body.length}`) =>
  `POST /a?b HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n${framing}\r\n\r\n${body}`;

describe('a verdict', () => {
  it('gets the facts of the request', async () => {
    const { port, facts } = await startWithVerdict(undefined);
    expect(await get(port, '/a?b', { Authorization: 'x' })).toMatch(/from the app$/);
    expect(facts).toMatchObject([
      { method: 'GET', host: HOST, path: '/a?b', scheme: 'http', address: '127.0.0.1' },
    ]);
    expect(facts[0]?.headers.authorization).toBe('x');
  });

  it.each([
    ['at once', REFUSED],
    ['later', Promise.resolve(REFUSED)],
  ])('can respond %s', async (_when, verdict) => {
    const { port, ended } = await startWithVerdict(verdict);
    expect(await get(port)).toMatch(/^HTTP\/1.1 401 [\s\S]*WWW-Authenticate: Basic[\s\S]*who\?$/);
    expect(await exchange(port, post('some body'))).toMatch(/^HTTP\/1.1 401 /);
    await eventually(() => ended.length === 2, 'both requests to end');
    expect(ended[0]).toMatchObject({ appId: 'app-1', status: 401, bytesOut: 4 });
  });

  it('that responds neither wakes an app nor counts as traffic', async () => {
    const woken: string[] = [];
    const { proxy, port } = await startWithVerdict(REFUSED, undefined, {
      onWake: (appId) => void woken.push(appId),
    });
    const state = { kind: 'hibernated' as const, wakesOnRequest: true };
    proxy.apply({ routes: [{ appId: 'app-1', hosts: [HOST], state, policy: {} }] });
    const [before] = [...proxy.activity()].map(({ lastActiveAt }) => lastActiveAt);
    expect(await get(port)).toMatch(/^HTTP\/1.1 401 /);
    expect(woken).toEqual([]);
    expect([...proxy.activity()][0]?.lastActiveAt).toBe(before);
  });

  it('can refuse a websocket', async () => {
    const { port } = await startWithVerdict(REFUSED);
    const handshake = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await exchange(port, handshake)).toMatch(/^HTTP\/1.1 401 /);
  });

  it('can add and replace headers of the response', async () => {
    const responseHeaders = { 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store' };
    const { port } = await startWithVerdict(
      { kind: 'forward', responseHeaders },
      (_in, response) => {
        response.writeHead(200, { 'x-frame-options': 'SAMEORIGIN', 'X-Other': '1' }).end('body');
      },
    );
    const response = await get(port);
    expect(response).toContain('X-Frame-Options: DENY');
    expect(response).toContain('X-Other: 1');
    expect(response).not.toContain('SAMEORIGIN');
  });

  it('can keep the Authorization header from the app', async () => {
    const { port } = await startWithVerdict(
      { kind: 'forward', dropsAuthorization: true },
      (incoming, response) => response.end(JSON.stringify(incoming.headers)),
    );
    const headers = { Authorization: 'secret', 'X-Own': 'dropped', 'X-Kept': 'kept' };
    const response = await get(port, '/', headers);
    expect(response).toContain('kept');
    expect(response).not.toContain('secret');
  });

  it.each([
    ['a length', post('0123456789')],
    ['chunks', post('a\r\n0123456789\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
  ])('can limit a body with %s', async (_framing, bytes) => {
    const { port } = await startWithVerdict(
      { kind: 'forward', maxBodyBytes: 9 },
      async (incoming) => {
        await text(incoming).catch(() => '');
      },
    );
    expect(await exchange(port, bytes)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('cuts a response that has begun when the body becomes too large', async () => {
    const { port } = await startWithVerdict(
      { kind: 'forward', maxBodyBytes: 9 },
      (_in, response) => {
        response.writeHead(200).write('begun');
      },
    );
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { Host: HOST },
      agent: false,
    });
    outgoing.on('error', () => {});
    outgoing.write('0');
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.write('123456789');
    await expect(text(incoming)).rejects.toThrow('aborted');
  });

  it('lets a body of the maximum size through', async () => {
    const { port } = await startWithVerdict(
      { kind: 'forward', maxBodyBytes: 10 },
      async (incoming, response) => response.end(await text(incoming)),
    );
    expect(await exchange(port, post('0123456789'))).toMatch(/0123456789$/);
  });

  it('can limit the time until the response begins', async () => {
    const { port, app } = await startWithVerdict({ kind: 'forward', timeoutMs: 50 }, () => {});
    const arrived = once(app.server, 'request');
    const response = get(port);
    const [, appResponse] = await arrived;
    expect(await response).toMatch(/^HTTP\/1.1 504 /);
    if (!appResponse.closed) await once(appResponse, 'close');
  });

  it('counts that time from the end of the request', async () => {
    const clock = createSimulatedClock();
    const verdict = { kind: 'forward', timeoutMs: 1_000 } as const;
    const { port, app } = await startWithVerdict(verdict, () => {}, { clock });
    const arrived = once(app.server, 'request');
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { Host: HOST },
      agent: false,
    });
    const response = once(outgoing, 'response');
    outgoing.write('x');
    const [incoming] = await arrived;
    await once(incoming, 'data');
    await clock.advance(20_000);
    outgoing.end('y');
    await once(incoming, 'end');
    await clock.advance(1_000);
    const [{ statusCode }] = (await response) as [IncomingMessage];
    expect(statusCode).toBe(504);
    outgoing.destroy();
  });
});

describe('the facts of an ended request', () => {
  it('have status and bytes', async () => {
    const { port, ended } = await startWithVerdict(undefined, async (incoming, response) => {
      await text(incoming);
      response.writeHead(201).end('created');
    });
    await exchange(port, post('0123456789'));
    await eventually(() => ended.length === 1, 'the request to end');
    expect(ended).toEqual([
      { appId: 'app-1', path: '/a?b', status: 201, bytesIn: 10, bytesOut: 7 },
    ]);
  });

  it('have the status 0 if the visitor disconnected before the response', async () => {
    const { port, app, ended } = await startWithVerdict(undefined, () => {});
    const arrived = once(app.server, 'request');
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      headers: { Host: HOST },
      agent: false,
    });
    outgoing.on('error', () => {}).end();
    await arrived;
    outgoing.destroy();
    await eventually(() => ended.length === 1, 'the request to end');
    expect(ended[0]?.status).toBe(0);
  });

  it('come when a websocket is closed', async () => {
    const { proxy, port, app, ended } = await startWithVerdict(undefined);
    new WebSocketServer({ server: app.server }).on('connection', (socket) => socket.send('hello'));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { Host: HOST } });
    await once(socket, 'message');
    expect([...proxy.activity()][0]?.openRequests).toBe(1);
    expect(ended).toEqual([]);
    socket.close();
    await eventually(() => ended.length === 1, 'the websocket to end');
    expect(ended[0]).toMatchObject({ path: '/live', status: 101 });
    expect([...proxy.activity()][0]?.openRequests).toBe(0);
  });
});

it('intercepts a request before its route is looked up, and counts it for no app', async () => {
  const ended: string[] = [];
  const { port, proxy } = await startProxy({
    isTrustedProxy: () => true,
    onRequestEnd: ({ path }) => void ended.push(path),
    intercept: ({ host, path, scheme, isSchemeForwarded }) => {
      const body = `${scheme} ${isSchemeForwarded} ${host}`;
      const isOwn = path === '/challenge';
      return isOwn ? { kind: 'respond', status: 200, headers: {}, body, isOwn } : undefined;
    },
  });
  proxy.apply({ routes: [{ appId: 'app-1', hosts: [HOST], state: { kind: 'failed' } }] });
  expect(await get(port, '/challenge')).toMatch(new RegExp(`http false ${HOST}$`));
  const forwarded = { 'X-Forwarded-Proto': 'https' };
  expect(await get(port, '/challenge', forwarded)).toMatch(new RegExp(`https true ${HOST}$`));
  expect(await get(port, '/other')).toMatch(/^HTTP\/1.1 503 /);
  await eventually(() => ended.length > 0, 'the request of the app to end');
  expect(ended).toEqual(['/other']);
});
