import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_SECRET, bearer } from '../../../test/backend.ts';
import { openRawSocket } from '../../../test/graphql/sockets/raw-socket.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

let server: SocketServer;
let ada: Session;
let eve: Session;
beforeAll(async () => {
  server = await startSocketServer();
  [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  await server.createProject(ada, 'of Ada');
  await server.createProject(eve, 'of Eve');
});
afterAll(async () => {
  expect(server.backend.errors).toEqual([]);
  await server.stop();
});

type Headers = Record<string, string>;

const secret = { 'x-hasura-admin-secret': ADMIN_SECRET };
const SUBSCRIPTION =
  'subscription { resources(order_by: {created_at: asc}) { values(path: "name") } }';
const PROTOCOLS = {
  'graphql-transport-ws': { start: 'subscribe', result: 'next' },
  'graphql-ws': { start: 'start', result: 'data' },
};

/** What the first subscription on a socket with these headers receives, or why there is no socket. */
async function subscribe(protocol: keyof typeof PROTOCOLS, headers: Headers): Promise<unknown> {
  const { start, result } = PROTOCOLS[protocol];
  const socket = await openRawSocket(server.url, protocol);
  const closed = socket.closed.then(({ reason }) => ({ type: 'closed', payload: reason }));
  const next = async () => {
    let frame = await Promise.race([socket.next(), closed]);
    while (frame.type === 'ka') frame = await Promise.race([socket.next(), closed]);
    return frame;
  };
  socket.send({ type: 'connection_init', payload: { headers } });
  const answer = await next();
  if (answer.type !== 'connection_ack') return { refused: answer.payload };
  socket.send({ id: '1', type: start, payload: { query: SUBSCRIPTION } });
  const { type, payload } = await next();
  if (type !== result) return { error: JSON.stringify(payload) };
  const { data } = payload as { data: { resources: { values: string }[] } };
  return data.resources.map(({ values }) => values);
}

describe.each(Object.keys(PROTOCOLS) as (keyof typeof PROTOCOLS)[])(
  'a socket in %s',
  (protocol) => {
    it.each<[string, () => Headers, string[]]>([
      ['a token sees the own rows', () => bearer(ada), ['of Ada']],
      [
        'a token and one of its roles sees the own rows',
        () => ({ ...bearer(ada), 'x-hasura-role': 'me' }),
        ['of Ada'],
      ],
      [
        'a token and the id of another user sees the own rows',
        () => ({ ...bearer(ada), 'x-hasura-user-id': eve.user.id }),
        ['of Ada'],
      ],
      ['the admin secret sees all rows', () => secret, ['of Ada', 'of Eve']],
      [
        'the admin secret and a token sees all rows',
        () => ({ ...bearer(ada), ...secret }),
        ['of Ada', 'of Eve'],
      ],
      [
        'the admin secret, a role and a user sees the rows of that user',
        () => ({ ...secret, 'X-Hasura-Role': 'user', 'X-Hasura-User-Id': eve.user.id }),
        ['of Eve'],
      ],
    ])('with %s', async (_, headers, names) => {
      expect(await subscribe(protocol, headers())).toEqual(names);
    });

    it.each<[string, () => Headers]>([
      ['nothing', () => ({})],
      ['the role header of the public clients', () => ({ role: 'public' })],
      [
        'a role, but no token',
        () => ({ 'x-hasura-role': 'admin', 'x-hasura-user-id': ada.user.id }),
      ],
      ['the admin secret and the role public', () => ({ ...secret, 'x-hasura-role': 'public' })],
    ])('with %s sees no table', async (_, headers) => {
      expect(await subscribe(protocol, headers())).toEqual({
        error: expect.stringContaining('no subscriptions exist'),
      });
    });

    it.each<[string, () => Headers]>([
      ['a role that its token does not have', () => ({ ...bearer(ada), 'x-hasura-role': 'admin' })],
      ['a wrong admin secret', () => ({ ...bearer(ada), 'x-hasura-admin-secret': 'wrong' })],
      [
        'the admin secret and a role without a user',
        () => ({ ...secret, 'x-hasura-role': 'user' }),
      ],
    ])('with %s is refused', async (_, headers) => {
      expect(await subscribe(protocol, headers())).toEqual({ refused: expect.any(String) });
    });
  },
);
