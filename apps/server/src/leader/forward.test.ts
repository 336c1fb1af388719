import { createServer, type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { unknownPath } from '../http/app.ts';
import { clientOf, createConnectionReader, identifyClients } from '../http/client.ts';
import { Problem, problemBody } from '../http/problem.ts';
import { Secret } from '../secrets/secret.ts';
import { createForwarding } from './forward.ts';
import { createForwardingProofs, FORWARDED_HEADER } from './forwarding-proofs.ts';
import type { LeaderAddress } from './leader-address.ts';

const PROOFS = createForwardingProofs(new Secret('m'.repeat(32)), Date);

let leader: LeaderAddress | undefined;
beforeEach(() => {
  leader = undefined;
});

/** What only the leader has. */
function leaderServices(name: string): Hono {
  const app = new Hono();
  app.use(identifyClients(readConnection));
  app.get('/v1/usage', (context) => {
    const { address } = clientOf(context);
    return context.json({ name, address, query: context.req.query('of') });
  });
  app.post('/v1/usage/echo', async (context) => context.body(await context.req.text(), 201));
  app.put('/v1/apps/source', async (context) => context.text(await context.req.text()));
  app.notFound(unknownPath);
  app.onError((error) => {
    throw error;
  });
  return app;
}

const readConnection = createConnectionReader({
  isTrustedProxy: undefined,
  edgeSockets: new WeakSet(),
  isForwarded: PROOFS.isForwarded,
});

type Server = { address: string; own: Hono | undefined; requests: number; stop(): void };

/** Longer than anything takes on a busy machine. */
const LONG_MS = 60_000;

async function startServer(name: string, { waitMs = LONG_MS } = {}): Promise<Server> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const forwarding = createForwarding({
    own: () => server.own,
    leader: async () => leader,
    proofs: PROOFS,
    get address() {
      return server.address;
    },
    isStream: (path) => path.startsWith('/v1/apps/'),
    limits: { waitMs, againMs: 5 },
  });
  app.use(identifyClients(readConnection));
  app.use(async (_context, next) => {
    server.requests += 1;
    await next();
  });
  for (const path of ['/v1/usage', '/v1/apps']) app.route(path, forwarding);
  app.onError((error, context) => {
    const problem = error instanceof Problem ? error : new Problem(500, name, String(error));
    return context.json(problemBody(problem), problem.status, problem.headers);
  });
  const http = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: Server = {
    address: `127.0.0.1:${(http.address() as AddressInfo).port}`,
    own: undefined,
    requests: 0,
    stop() {
      http.close();
      http.closeAllConnections();
    },
  };
  onTestFinished(server.stop);
  return server;
}

function lead(server: Server, name: string): void {
  server.own = leaderServices(name);
  leader = { address: server.address, term: (leader?.term ?? 0) + 1 };
}

const ask = (server: Server, path = '/v1/usage', init?: RequestInit) =>
  fetch(`http://${server.address}${path}`, init);

/** With headers that `fetch` does not send. Returns status and body. */
function send(server: Server, path: string, options: RequestOptions, body: string) {
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const sent = request(`http://${server.address}${path}`, options, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve([response.statusCode, text]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

it('answers a request itself if it leads', async () => {
  const one = await startServer('one');
  lead(one, 'one');
  expect(await (await ask(one, '/v1/usage?of=ada')).json()).toMatchObject({
    name: 'one',
    query: 'ada',
  });
});

it('forwards to the leader: path, query, method, body, status and the address of the client', async () => {
  const [one, two] = [await startServer('one'), await startServer('two')];
  lead(two, 'two');
  // The address that a client claims does not count.
  const forged = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect(await (await ask(one, '/v1/usage?of=a%20b', forged)).json()).toEqual({
    name: 'two',
    address: '127.0.0.1',
    query: 'a b',
  });
  const echo = await ask(one, '/v1/usage/echo', { method: 'POST', body: '{"a":1}' });
  expect([echo.status, await echo.text()]).toEqual([201, '{"a":1}']);
  const upload = await ask(one, '/v1/apps/source', { method: 'PUT', body: 'x'.repeat(2_000_000) });
  expect(await upload.text()).toHaveLength(2_000_000);
  expect((await ask(one, '/v1/usage/none')).status).toBe(404);
});

it('forwards what belongs to the connection of the client in no form that is refused', async () => {
  const [one, two] = [await startServer('one'), await startServer('two')];
  lead(two, 'two');
  const answers = await Promise.all(
    [
      { 'transfer-encoding': 'chunked' },
      { expect: '100-continue' },
      { 'keep-alive': 'timeout=5', connection: 'keep-alive, te', te: 'trailers' },
    ].map((headers) => send(one, '/v1/apps/source', { method: 'PUT', headers }, 'archive')),
  );
  expect(answers).toEqual(Array(3).fill([200, 'archive']));
});

it('sends no request to a program at the address of a former leader', async () => {
  const seen: (string | undefined)[] = [];
  const program = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{}');
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void program.close());
  const one = await startServer('one', { waitMs: 500 });
  leader = { address: `127.0.0.1:${(program.address() as AddressInfo).port}`, term: 1 };
  const headers = { authorization: 'Bearer secret' };
  expect((await ask(one, '/v1/usage', { headers })).status).toBe(503);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every((authorization) => authorization === undefined)).toBe(true);
});

it('believes the address of the client only in the request that a server has signed', async () => {
  const one = await startServer('one');
  lead(one, 'one');
  const addressIn = async (proof: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9', [FORWARDED_HEADER]: proof };
    const response = await ask(one, '/v1/usage', { headers });
    return ((await response.json()) as { address: string }).address;
  };
  const proof = PROOFS.ofRequest('GET', '/v1/usage');
  expect(await addressIn(proof)).toBe('203.0.113.9');
  expect(await addressIn(PROOFS.ofRequest('GET', '/v1/usage/other'))).toBe('127.0.0.1');
  expect(await addressIn(PROOFS.ofRequest('POST', '/v1/usage'))).toBe('127.0.0.1');
  expect(await addressIn(proof.replace(/^\d+/, String(Date.now() + 1)))).toBe('127.0.0.1');
  const old = createForwardingProofs(new Secret('m'.repeat(32)), {
    now: () => Date.now() - 600_000,
  });
  expect(await addressIn(old.ofRequest('GET', '/v1/usage'))).toBe('127.0.0.1');
  const other = createForwardingProofs(new Secret('n'.repeat(32)), Date);
  expect(await addressIn(other.ofRequest('GET', '/v1/usage'))).toBe('127.0.0.1');
});

it('waits for a leader', async () => {
  const [one, two] = [await startServer('one'), await startServer('two')];
  const asking = ask(one);
  await expect.poll(() => one.requests).toBe(1);
  lead(two, 'two');
  expect(await (await asking).json()).toMatchObject({ name: 'two' });
});

describe.each([
  ['has stopped', (former: Server) => former.stop()],
  [
    'leads no more',
    (former: Server) => {
      former.own = undefined;
    },
  ],
])('when the former leader %s', (_how, end) => {
  it('waits for the next one, and sends it the same body', async () => {
    const [one, two, three] = [
      await startServer('one'),
      await startServer('two'),
      await startServer('three'),
    ];
    lead(two, 'two');
    end(two);
    const asking = ask(one, '/v1/usage/echo', { method: 'POST', body: 'again' });
    await expect.poll(() => one.requests).toBe(1);
    lead(three, 'three');
    expect(await (await asking).text()).toBe('again');
  });

  it('becomes the leader itself while a request waits', async () => {
    const [one, two] = [await startServer('one'), await startServer('two')];
    lead(two, 'two');
    end(two);
    const asking = ask(one);
    await expect.poll(() => one.requests).toBe(1);
    lead(one, 'one');
    expect(await (await asking).json()).toMatchObject({ name: 'one' });
  });
});

it('says that there is no leader, and when to try again', async () => {
  const one = await startServer('one', { waitMs: 20 });
  const refused = await ask(one);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({ error: 'no-leader' });
});

it('does not forward in circles', async () => {
  const [one, two] = [
    await startServer('one', { waitMs: 100 }),
    await startServer('two', { waitMs: 100 }),
  ];
  leader = { address: two.address, term: 1 };
  expect((await ask(one)).status).toBe(503);
  expect(one.requests).toBe(1);
  // The same if it has the proof of a leader that it was before.
  const proof = PROOFS.ofRequest('GET', '/v1/usage');
  const before = one.requests;
  expect((await ask(two, '/v1/usage', { headers: { [FORWARDED_HEADER]: proof } })).status).toBe(
    503,
  );
  expect(one.requests).toBe(before);
});
