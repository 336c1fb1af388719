import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import { openRawSocket, type RawSocket } from '../../../test/graphql/sockets/raw-socket.ts';
import {
  projectInsert,
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

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

const open = () => openRawSocket(server.url, 'graphql-transport-ws');

async function connect(headers: Record<string, string> = bearer(ada)): Promise<RawSocket> {
  const socket = await open();
  // The public client adds such a header; it has no effect.
  const params = { headers: { ...headers, 'Sec-WebSocket-Protocol': 'graphql-ws' } };
  socket.send({ type: 'connection_init', payload: params });
  expect(await socket.next()).toEqual({ type: 'connection_ack' });
  return socket;
}

describe('responds to', () => {
  it('a query and a mutation once', async () => {
    const socket = await connect();
    socket.send({ id: 'q', type: 'subscribe', payload: { query: '{ resources { id } }' } });
    expect(await socket.next()).toEqual({
      id: 'q',
      type: 'next',
      payload: { data: { resources: [] } },
    });
    expect(await socket.next()).toEqual({ id: 'q', type: 'complete' });
    const bob = await server.backend.signUp();
    const other = await connect(bearer(bob));
    other.send({ id: 'm', type: 'subscribe', payload: projectInsert(bob, 'by socket') });
    expect(await other.next()).toMatchObject({ id: 'm', type: 'next' });
  });

  it.each([
    ['that is invalid', 'subscription { nothing }', 'validation-failed'],
    ['that fails', '{ resources_by_pk(id: "nonsense") { id } }', 'data-exception'],
    [
      'that is live and fails',
      'subscription { resources_by_pk(id: "x") { id } }',
      'data-exception',
    ],
  ])('an operation %s with an error that ends it', async (_, query, code) => {
    const socket = await connect();
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    expect(await socket.next()).toMatchObject({
      id: '1',
      type: 'error',
      payload: [{ message: expect.any(String), extensions: { code } }],
    });
    socket.send({ id: '1', type: 'subscribe', payload: { query: '{ resources { id } }' } });
    expect(await socket.next()).toMatchObject({ id: '1', type: 'next' });
  });

  it('a ping with a pong', async () => {
    const socket = await connect();
    socket.send({ type: 'ping', payload: { at: 1 } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { at: 1 } });
  });
});

const SUBSCRIBE = '{"id":"1","type":"subscribe","payload":{"query":"{ resources { id } }"}}';

describe('closes with', () => {
  it.each([
    ['4400 for an unreadable message', 'nonsense', 4400],
    ['4401 for a start before the first message', SUBSCRIBE, 4401],
    ['4429 for two first messages', '{"type":"connection_init"}', 4429],
  ])('%s', async (_, text, code) => {
    const socket = await open();
    socket.send(text);
    socket.send(text);
    expect((await socket.closed).code).toBe(code);
  });

  it('4403 for a role that the token does not allow', async () => {
    const socket = await open();
    const headers = { ...bearer(ada), 'x-hasura-role': 'emperor' };
    socket.send({ type: 'connection_init', payload: { headers } });
    expect((await socket.closed).code).toBe(4403);
  });

  it('4408 without a first message for three seconds', async () => {
    expect((await (await open()).closed).code).toBe(4408);
  });

  it('4409 for a second operation with the same id', async () => {
    const socket = await connect();
    const query = 'subscription { resources { id } }';
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    await socket.next();
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    expect((await socket.closed).code).toBe(4409);
  });

  it('1009 for a message that is too long', async () => {
    const socket = await connect();
    const query = `{ ${'x'.repeat(1_100_000)} }`;
    socket.send({ id: '1', type: 'subscribe', payload: { query } });
    expect((await socket.closed).code).toBe(1009);
  });

  it('4429 for too many sockets of one user', async () => {
    const bob = await server.backend.signUp();
    await Promise.all(Array.from({ length: 50 }, () => connect(bearer(bob))));
    const socket = await open();
    socket.send({ type: 'connection_init', payload: { headers: bearer(bob) } });
    expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many connections' });
  });
});
