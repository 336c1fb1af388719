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

type Subprotocol = [name: string, start: string, result: string];

const SUBPROTOCOLS: Subprotocol[] = [
  ['graphql-transport-ws', 'subscribe', 'next'],
  ['graphql-ws', 'start', 'data'],
];

it.each(SUBPROTOCOLS)(
  'sends each row once, in batches and as it is added (%s)',
  async (...subprotocol) => {
    const [ada, eve] = [await server.backend.signUp(), await server.backend.signUp()];
    for (const name of ['one', 'two', 'three']) await server.createProject(ada, name);
    const names = await follow(ada, null, subprotocol);
    expect([await names(), await names()]).toEqual([['one', 'two'], ['three']]);
    await server.createProject(eve, 'not hers');
    await server.createProject(ada, 'four');
    expect(await names()).toEqual(['four']);
  },
);

it.each(SUBPROTOCOLS)('starts after the cursor of the client (%s)', async (...subprotocol) => {
  const ada = await server.backend.signUp();
  await server.createProject(ada, 'old');
  const { rows } = await server.backend.pool.query<{ now: Date }>('select now()');
  const names = await follow(ada, rows[0]?.now ?? null, subprotocol);
  await server.createProject(ada, 'new');
  expect(await names()).toEqual(['new']);
});

/** The names in each batch of rows created after a time. */
async function follow(session: Session, after: Date | null, [protocol, start, type]: Subprotocol) {
  const socket = await openRawSocket(server.url, protocol);
  const receive = async (expected: string): Promise<Frame> => {
    const frame = await socket.next();
    return frame.type === expected ? frame : await receive(expected);
  };
  socket.send({ type: 'connection_init', payload: { headers: bearer(session) } });
  await receive('connection_ack');
  socket.send({ id: '1', type: start, payload: { query: STREAM, variables: { after } } });
  return async () => {
    const { data } = (await receive(type)).payload as Batch;
    return data.resources_stream.map(({ values }) => values.name);
  };
}
