import { chartNameOf, INSERT_RESOURCE, type Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../test/backend.ts';
import { openRawSocket } from '../../test/graphql/sockets/raw-socket.ts';
import { type SocketServer, startSocketServer } from '../../test/graphql/sockets/socket-server.ts';
import { appValues } from '../../test/values.ts';

let server: SocketServer;
let ada: Session;
beforeAll(async () => {
  server = await startSocketServer();
  ada = await server.backend.signUp('ada@example.com');
});
afterAll(() => server.stop());

const disable = ({ user }: Session) =>
  server.backend.post(`/v1/operator/users/${user.id}/disable`, '', bearer(ada));

const query = (session: Session) =>
  server.backend.post('/v1/graphql', { query: '{ resources { id } }' }, bearer(session));

async function insert(session: Session, kind: 'project' | 'app', values: unknown): Promise<string> {
  const userId = session.user.id;
  const variables = { userId, chartName: chartNameOf(kind), chartVersion: '0.0', values };
  const { body } = await server.backend.post<{ data: { insert_resources_one: { id: string } } }>(
    '/v1/graphql',
    { query: INSERT_RESOURCE, variables },
    bearer(session),
  );
  return body.data.insert_resources_one.id;
}

async function connect(session: Session) {
  const socket = await openRawSocket(server.url, 'graphql-transport-ws');
  socket.send({ type: 'connection_init', payload: { headers: bearer(session) } });
  return socket;
}

it('ends the GraphQL requests, sockets and log streams of a user who is disabled', async () => {
  const { backend } = server;
  const frank = await backend.signUp();
  const projectId = await insert(frank, 'project', { userId: frank.user.id, name: 'Shop' });
  const appId = await insert(frank, 'app', appValues(projectId));
  expect((await query(frank)).body).toMatchObject({ data: { resources: [{}, {}] } });
  const socket = await connect(frank);
  expect((await socket.next()).type).toBe('connection_ack');
  const logs = () =>
    backend.app.request('/v1/logs', {
      method: 'POST',
      headers: bearer(frank),
      body: JSON.stringify({ projectId, appId, follow: true }),
    });
  const stream = await logs();
  expect(stream.status).toBe(200);

  expect((await disable(frank)).status).toBe(200);

  expect((await socket.closed).code).toBe(4403);
  // It would follow the log until the access token expires.
  await stream.text().catch(() => {});
  expect((await query(frank)).body).toHaveProperty('errors');
  expect((await (await connect(frank)).closed).code).toBe(4403);
  expect((await logs()).status).toBe(401);
  expect((await query(ada)).body).toMatchObject({ data: { resources: [] } });
  expect(backend.errors).toEqual([]);
});

it('refuses the next query also if the notification of the end is lost', async () => {
  const { backend } = server;
  const frank = await backend.signUp();
  expect((await query(frank)).body).toMatchObject({ data: { resources: [] } });
  await backend.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longshore changes' and datname = current_database()",
  );
  expect((await disable(frank)).status).toBe(200);
  expect((await query(frank)).body).toHaveProperty('errors');
});
