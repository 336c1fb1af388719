import { RESOURCES_SUBSCRIPTION, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../../../test/backend.ts';
import { openRawSocket, type RawSocket } from '../../../../test/graphql/sockets/raw-socket.ts';
import {
  projectInsert,
  type SocketServer,
  startSocketServer,
} from '../../../../test/graphql/sockets/socket-server.ts';

let server: SocketServer;
let ada: Session;
beforeAll(async () => {
  server = await startSocketServer();
  ada = await server.backend.signUp();
});
afterAll(async () => {
  expect(server.backend.errors).toEqual([]);
  await server.stop();
});

async function open(protocol: string | string[] = 'graphql-ws'): Promise<RawSocket> {
  const socket = await openRawSocket(server.url, protocol);
  expect(await socket.next()).toEqual({ type: 'ka' });
  return socket;
}

async function connect(session: Session = ada): Promise<RawSocket> {
  const socket = await open();
  socket.send({ type: 'connection_init', payload: { headers: bearer(session) } });
  expect(await socket.next()).toEqual({ type: 'connection_ack' });
  return socket;
}

const watch = (session: Session) => ({
  query: RESOURCES_SUBSCRIPTION,
  variables: { userId: session.user.id },
});
const names = (frame: { payload?: unknown }) =>
  (frame.payload as { data: { resources: { values: { name: string } }[] } }).data.resources.map(
    ({ values }) => values.name,
  );

it.each([
  ['the legacy subprotocol', 'graphql-ws', 'graphql-ws'],
  ['several', ['graphql-transport-ws', 'graphql-ws'], 'graphql-ws'],
  ['none', [], ''],
])('is used for a client that offers %s', async (_, offered, chosen) => {
  expect((await open(offered)).protocol).toBe(chosen);
});

it('sends all rows after a start, and again after each change', async () => {
  const bob = await server.backend.signUp();
  const socket = await connect(bob);
  socket.send({ id: '7', type: 'start', payload: watch(bob) });
  const first = await socket.next();
  expect(first).toMatchObject({ id: '7', type: 'data' });
  expect(names(first)).toEqual([]);
  await server.createProject(bob, 'one');
  expect(names(await socket.next())).toEqual(['one']);
});

it('accepts a start right after the first message', async () => {
  const socket = await open();
  socket.send({ type: 'connection_init', payload: { headers: bearer(ada) } });
  socket.send({ id: '1', type: 'start', payload: { query: '{ resources { id } }' } });
  expect(await socket.next()).toEqual({ type: 'connection_ack' });
  expect(await socket.next()).toMatchObject({ id: '1', type: 'data' });
  expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
});

it('sends nothing of a stopped operation', async () => {
  const bob = await server.backend.signUp();
  const socket = await connect(bob);
  socket.send({ id: '1', type: 'start', payload: watch(bob) });
  socket.send({ id: '2', type: 'start', payload: watch(bob) });
  await socket.next();
  await socket.next();
  socket.send({ id: '1', type: 'stop' });
  await server.createProject(bob, 'one');
  expect(await socket.next()).toMatchObject({ id: '2' });
  expect(socket.unread).toEqual([]);
});

describe('queries and mutations', () => {
  it('have one result and are complete', async () => {
    const bob = await server.backend.signUp();
    const socket = await connect(bob);
    socket.send({ id: '1', type: 'start', payload: projectInsert(bob, 'by socket') });
    expect(await socket.next()).toMatchObject({
      id: '1',
      type: 'data',
      payload: { data: { insert_resources_one: { id: expect.any(String) } } },
    });
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
  });

  it('that fail have errors instead of data', async () => {
    const socket = await connect();
    const query = '{ resources_by_pk(id: "nonsense") { id } }';
    socket.send({ id: '1', type: 'start', payload: { query } });
    expect(await socket.next()).toMatchObject({
      id: '1',
      type: 'data',
      payload: { errors: [{ extensions: { code: 'data-exception' } }] },
    });
    expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
  });
});

it('refuses an invalid operation before it runs', async () => {
  const socket = await connect();
  socket.send({ id: '1', type: 'start', payload: { query: 'subscription { nothing }' } });
  expect(await socket.next()).toMatchObject({
    id: '1',
    type: 'error',
    payload: { errors: [{ extensions: { code: 'validation-failed' } }] },
  });
  expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
});

it('refuses a second operation under the same id and keeps the first', async () => {
  const bob = await server.backend.signUp();
  const socket = await connect(bob);
  socket.send({ id: '1', type: 'start', payload: watch(bob) });
  await socket.next();
  socket.send({ id: '1', type: 'start', payload: watch(bob) });
  expect(await socket.next()).toMatchObject({
    type: 'error',
    payload: { errors: [{ extensions: { code: 'start-failed' } }] },
  });
  await socket.next();
  await server.createProject(bob, 'one');
  expect(names(await socket.next())).toEqual(['one']);
});

it('reports why a token is invalid, and closes', async () => {
  const socket = await open();
  socket.send({ type: 'connection_init', payload: { headers: { authorization: 'Bearer a.b.c' } } });
  expect(await socket.next()).toEqual({
    type: 'connection_error',
    payload: 'Could not verify JWT: JWSError JWSInvalidSignature',
  });
  expect((await socket.closed).code).toBe(4400);
});

it('admits a caller without a token as public', async () => {
  const socket = await open();
  socket.send({ type: 'connection_init' });
  expect(await socket.next()).toEqual({ type: 'connection_ack' });
  socket.send({ id: '1', type: 'start', payload: { query: '{ resources { id } }' } });
  expect(await socket.next()).toMatchObject({ type: 'error' });
});

it('closes with 4403 when the token expires, so that the client reconnects', async () => {
  const bob = await server.backend.signUp();
  server.backend.clock.ahead = 898_500;
  const socket = await connect(bob);
  server.backend.clock.ahead = 0;
  expect((await socket.closed).code).toBe(4403);
});

it('closes when the client terminates the connection', async () => {
  const socket = await connect();
  socket.send({ type: 'connection_terminate' });
  expect((await socket.closed).code).toBe(1000);
});

it('reports an unreadable message and continues', async () => {
  const socket = await connect();
  socket.send('nonsense');
  expect(await socket.next()).toMatchObject({ type: 'connection_error' });
  socket.send({ id: '1', type: 'start', payload: { query: '{ resources { id } }' } });
  expect(await socket.next()).toMatchObject({ id: '1', type: 'data' });
});
