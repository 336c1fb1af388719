import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import { type Frame, openRawSocket } from '../../../test/graphql/sockets/raw-socket.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

const STREAM = `subscription ($after: timestamptz) {
  resources_stream(batch_size: 2, cursor: [{initial_value: {created_at: $after}, ordering: ASC}]) { values }
}`;

type Batch = { data: { resources_stream: { values: { name: string } }[] } };

let server: SocketServer;
beforeAll(async () => {
  server = await startSocketServer();
});
afterAll(async () => {
  expect(server.backend.errors).toEqual([]);
  await server.stop();
});

type Dialect = [protocol: string, start: string, answer: string];

const DIALECTS: Dialect[] = [
  ['graphql-transport-ws', 'subscribe', 'next'],
  ['graphql-ws', 'start', 'data'],
];

it.each(DIALECTS)('sends each row once, in batches and as it comes (%s)', async (...dialect) => {
  const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
  for (const name of ['one', 'two', 'three']) await server.makeProject(ada, name);
  const names = await follow(ada, null, dialect);
  expect([await names(), await names()]).toEqual([['one', 'two'], ['three']]);
  await server.makeProject(eve, 'not hers');
  await server.makeProject(ada, 'four');
  expect(await names()).toEqual(['four']);
});

it.each(DIALECTS)('starts behind what its reader has already (%s)', async (...dialect) => {
  const ada = await server.backend.signUp();
  await server.makeProject(ada, 'old');
  const { rows } = await server.backend.pool.query<{ now: Date }>('select now()');
  const names = await follow(ada, rows[0]?.now ?? null, dialect);
  await server.makeProject(ada, 'new');
  expect(await names()).toEqual(['new']);
});

/** The names in each batch, from behind a time on. */
async function follow(session: Session, after: Date | null, [protocol, start, type]: Dialect) {
  const socket = await openRawSocket(server.url, protocol);
  const hear = async (wanted: string): Promise<Frame> => {
    const frame = await socket.next();
    return frame.type === wanted ? frame : await hear(wanted);
  };
  socket.say({ type: 'connection_init', payload: { headers: bearer(session) } });
  await hear('connection_ack');
  socket.say({ id: '1', type: start, payload: { query: STREAM, variables: { after } } });
  return async () => {
    const { data } = (await hear(type)).payload as Batch;
    return data.resources_stream.map(({ values }) => values.name);
  };
}
