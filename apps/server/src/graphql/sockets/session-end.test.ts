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

async function enter(session: Session, dialect = 'graphql-transport-ws') {
  const socket = await openRawSocket(server.url, dialect);
  socket.say({ type: 'connection_init', payload: { headers: bearer(session) } });
  const hears = async (type: string) => {
    for (let frame = await socket.next(); frame.type !== type; ) frame = await socket.next();
  };
  return { ...socket, hears };
}

const deafen = () =>
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
    ['graphql-transport-ws', 'graphql-ws'].map((dialect) => ({ what, end, dialect })),
  ),
)('closes the sockets of a user who $what ($dialect)', async ({ end, dialect }) => {
  const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  const socket = await enter(ada, dialect);
  const other = await enter(eve, dialect);
  await Promise.all([socket.hears('connection_ack'), other.hears('connection_ack')]);
  await end(ada);
  expect((await socket.closed).code).toBe(4403);
  const start = dialect === 'graphql-ws' ? 'start' : 'subscribe';
  other.say({ id: '1', type: start, payload: { query: '{ resources { id } }' } });
  await other.hears('complete');
});

it('lets no token in whose session is over', async () => {
  const ada = await server.backend.signUp();
  await signOut(ada);
  expect((await (await enter(ada)).closed).code).toBe(4403);
});

it('closes the sockets of sessions that ended while it could not hear', async () => {
  const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  const [socket, other] = [await enter(ada), await enter(eve)];
  await Promise.all([socket.hears('connection_ack'), other.hears('connection_ack')]);
  await deafen();
  await signOut(ada);
  expect((await socket.closed).code).toBe(4403);
  other.say({ id: '1', type: 'subscribe', payload: { query: '{ resources { id } }' } });
  await other.hears('complete');
});
