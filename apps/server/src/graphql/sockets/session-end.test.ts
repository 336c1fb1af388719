import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import { openRawSocket } from '../../../test/graphql/sockets/raw-socket.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

let server: SocketServer;
beforeAll(async () => {
  server = await startSocketServer();
});
afterAll(async () => {
  await server.stop();
});

async function connect(session: Session, subprotocol = 'graphql-transport-ws') {
  const socket = await openRawSocket(server.url, subprotocol);
  socket.send({ type: 'connection_init', payload: { headers: bearer(session) } });
  const receive = async (type: string) => {
    for (let frame = await socket.next(); frame.type !== type; ) frame = await socket.next();
  };
  return { ...socket, receive };
}

const dropListener = () =>
  server.backend.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longshore changes' and datname = current_database()",
  );

const signOut = (session: Session) =>
  server.backend.post('/v1/auth/signout', { refreshToken: session.refreshToken });

const ENDS: [string, (session: Session) => Promise<unknown>][] = [
  ['signs out', signOut],
  [
    'is disabled',
    ({ user }) =>
      server.backend.pool.query('update auth.users set disabled = true where id = $1', [user.id]),
  ],
  [
    'is deleted',
    ({ user }) => server.backend.pool.query('delete from auth.users where id = $1', [user.id]),
  ],
];

it.each(
  ENDS.flatMap(([what, end]) =>
    ['graphql-transport-ws', 'graphql-ws'].map((subprotocol) => ({ what, end, subprotocol })),
  ),
)('closes the sockets of a user who $what ($subprotocol)', async ({ end, subprotocol }) => {
  const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  const socket = await connect(ada, subprotocol);
  const other = await connect(eve, subprotocol);
  await Promise.all([socket.receive('connection_ack'), other.receive('connection_ack')]);
  await end(ada);
  expect((await socket.closed).code).toBe(4403);
  const start = subprotocol === 'graphql-ws' ? 'start' : 'subscribe';
  other.send({ id: '1', type: start, payload: { query: '{ resources { id } }' } });
  await other.receive('complete');
});

it('refuses a token whose session has ended', async () => {
  const ada = await server.backend.signUp();
  await signOut(ada);
  expect((await (await connect(ada)).closed).code).toBe(4403);
});

it('closes the sockets of sessions that ended while notifications were lost', async () => {
  const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  const [socket, other] = [await connect(ada), await connect(eve)];
  await Promise.all([socket.receive('connection_ack'), other.receive('connection_ack')]);
  await dropListener();
  await signOut(ada);
  expect((await socket.closed).code).toBe(4403);
  other.send({ id: '1', type: 'subscribe', payload: { query: '{ resources { id } }' } });
  await other.receive('complete');
});
