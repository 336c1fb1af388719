import type { Session } from '@longshore/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/db/database-proxy.ts';
import {
  type DedicatedPostgres,
  startDedicatedPostgres,
} from '../../../test/db/dedicated-postgres.ts';
import { followNames } from '../../../test/graphql/sockets/follow-names.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

const POLL = { timeout: 15_000 };
const LONG = { timeout: 60_000 };

let postgres: DedicatedPostgres;
beforeAll(async () => {
  postgres = await startDedicatedPostgres();
});
afterAll(() => postgres.stop());

/** Writes to the database directly, without the server. */
async function writeDirectly(session: Session, name: string): Promise<void> {
  const client = new pg.Client(postgres.database.connection);
  client.on('error', () => {});
  await client.connect();
  await client.query(
    "insert into public.resources (user_id, chart_name, chart_version, values) values ($1, 'project', '0', $2)",
    [session.user.id, JSON.stringify({ userId: session.user.id, name })],
  );
  await client.end();
}

describe('a database that', () => {
  let server: SocketServer;
  let ada: Session;
  let received: string[][];
  beforeEach(async () => {
    server = await startSocketServer({ database: postgres.database });
    ada = await server.backend.signUp();
    received = followNames(server.url, ada);
    await expect.poll(() => received).toEqual([[]]);
    return () => server.stop();
  });

  it('is killed: subscribers get all later changes', LONG, async () => {
    await postgres.kill();
    await expect
      .poll(() => writeDirectly(ada, 'after').then(() => 'written', String), POLL)
      .toBe('written');
    await expect.poll(() => received.at(-1), POLL).toEqual(['after']);
    await server.createProject(ada, 'later');
    await expect.poll(() => received.at(-1), POLL).toEqual(['after', 'later']);
  });

  it('is frozen: changes are sent after it is thawed, to new subscribers too', LONG, async () => {
    await postgres.freeze();
    const written = server.createProject(ada, 'meanwhile');
    const late = followNames(server.url, ada);
    await postgres.thaw();
    await written;
    await expect.poll(() => received.at(-1), POLL).toEqual(['meanwhile']);
    await expect.poll(() => late.at(-1), POLL).toEqual(['meanwhile']);
  });
});

describe('a connection to the database that', () => {
  let proxy: DatabaseProxy;
  let server: SocketServer;
  let ada: Session;
  let received: string[][];
  beforeEach(async () => {
    proxy = await startDatabaseProxy(postgres.database.connection);
    server = await startSocketServer({
      database: { connection: proxy.connection, drop: async () => {} },
      databaseLimits: { connectMs: 300, queryMs: 300, heartbeatMs: 100, responseMs: 300 },
    });
    ada = await server.backend.signUp();
    received = followNames(server.url, ada);
    await expect.poll(() => received).toEqual([[]]);
    return async () => {
      proxy.restore();
      await server.stop();
      await proxy.stop();
    };
  });

  it('is cut: changes are sent after it is restored', LONG, async () => {
    proxy.disconnect();
    await writeDirectly(ada, 'meanwhile');
    proxy.restore();
    await expect.poll(() => received.at(-1), POLL).toEqual(['meanwhile']);
  });

  it('stops responding: it is replaced, and changes are sent', LONG, async () => {
    proxy.stall();
    await writeDirectly(ada, 'meanwhile');
    await expect.poll(() => server.backend.errors.length, POLL).toBeGreaterThan(0);
    proxy.restore();
    await expect.poll(() => received.at(-1), POLL).toEqual(['meanwhile']);
    await server.createProject(ada, 'later');
    await expect.poll(() => received.at(-1), POLL).toEqual(['meanwhile', 'later']);
  });
});
