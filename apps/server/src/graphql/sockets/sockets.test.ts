import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { RESOURCES_SUBSCRIPTION, type Session } from '@longshore/contract';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Backend, bearer } from '../../../test/backend.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

type Rows = { resources: { id: string; values: { name: string } }[] };

let backend: Backend;
let server: SocketServer;
let url: string;
const clients: Client[] = [];

beforeAll(async () => {
  server = await startSocketServer();
  ({ backend, url } = server);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await server.stop();
});

function connect(session: Session | undefined, closed: (code: number) => void = () => {}): Client {
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: () => ({ headers: session === undefined ? {} : bearer(session) }),
    on: { closed: (event) => closed((event as { code: number }).code) },
  });
  clients.push(client);
  return client;
}

function names(client: Client, userId: string) {
  const results = client.iterate<Rows>({ query: RESOURCES_SUBSCRIPTION, variables: { userId } });
  const next = async () => {
    const { value } = await results.next();
    return (value as { data: Rows }).data.resources.map((row) => row.values.name);
  };
  return { next, stop: () => results.return?.() };
}

it('sends all rows at once and again after each change', async () => {
  const ada = await backend.signUp();
  const live = names(connect(ada), ada.user.id);
  expect(await live.next()).toEqual([]);
  await server.createProject(ada, 'one');
  expect(await live.next()).toEqual(['one']);
  await server.createProject(ada, 'two');
  expect(await live.next()).toEqual(['one', 'two']);
});

it('never sends a change of another user, even if their rows are queried', async () => {
  const [ada, eve] = [await backend.signUp(), await backend.signUp()];
  const spying = names(connect(eve), ada.user.id);
  expect(await spying.next()).toEqual([]);
  await server.createProject(ada, 'secret');
  const own = names(connect(eve), eve.user.id);
  expect(await own.next()).toEqual([]);
  await server.createProject(eve, 'mine');
  expect(await own.next()).toEqual(['mine']);
});

it('limits the live queries on one connection', async () => {
  const ada = await backend.signUp();
  const client = connect(ada);
  const variables = { userId: ada.user.id };
  const refusals: unknown[] = [];
  const results: unknown[] = [];
  const sink = {
    next: (result: unknown) => void results.push(result),
    error: (errors: unknown) => void refusals.push(errors),
    complete() {},
  };
  for (let count = 0; count < 120; count += 1) {
    client.subscribe({ query: RESOURCES_SUBSCRIPTION, variables }, sink);
  }
  await expect.poll(() => [results.length, refusals.length]).toEqual([100, 20]);
  expect(JSON.stringify(refusals[0])).toContain('at most 100 operations');
});

it('sends the current rows after the listening connection was lost', async () => {
  const ada = await backend.signUp();
  const live = names(connect(ada), ada.user.id);
  expect(await live.next()).toEqual([]);
  await backend.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longshore changes' and datname = current_database()",
  );
  await server.createProject(ada, 'while disconnected');
  expect(await live.next()).toEqual(['while disconnected']);
  backend.errors.length = 0;
});

it.each([
  ['a forged token', { user: { id: '' }, accessToken: 'a.b.c' } as Session],
  ['an expired token', undefined],
])('closes with 4403 for %s', async (_, forged) => {
  const session = forged ?? (await backend.signUp());
  if (forged === undefined) backend.clock.ahead = 901_000;
  const code = await new Promise<number>((resolve) => {
    connect(session, resolve).subscribe(
      { query: '{ resources { id } }' },
      { next() {}, error() {}, complete() {} },
    );
  });
  backend.clock.ahead = 0;
  expect(code).toBe(4403);
});

it('closes with 4403 when the token expires while the socket is open', async () => {
  const ada = await backend.signUp();
  backend.clock.ahead = 898_500;
  const code = await new Promise<number>((resolve) => {
    connect(ada, resolve).subscribe(
      { query: RESOURCES_SUBSCRIPTION, variables: { userId: ada.user.id } },
      { next() {}, error() {}, complete() {} },
    );
  });
  backend.clock.ahead = 0;
  expect(code).toBe(4403);
});

it('sends a caller without a token an error instead of rows', async () => {
  const results = connect(undefined).iterate({ query: '{ resources { id } }' });
  await expect(results.next()).rejects.toMatchObject([
    { message: "field 'resources' not found in type: 'query_root'" },
  ]);
});

it('closes all sockets when it stops, also those that do not respond', async () => {
  const stopped = await startSocketServer();
  const silent = connectTcp(stopped.port, '127.0.0.1');
  silent.write(
    'GET /v1/graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await once(silent, 'data');
  const ended = once(silent, 'close');
  silent.resume();
  await stopped.stop();
  await ended;
});
