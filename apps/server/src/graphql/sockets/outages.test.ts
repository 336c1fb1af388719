import type { Session } from '@longshore/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts';
import { followNames } from '../../../test/graphql/sockets/follow-names.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';
import { type OwnPostgres, startOwnPostgres } from '../../../test/own-postgres.ts';

const PATIENT = { timeout: 15_000 };
const LONG = { timeout: 60_000 };

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.stop());

/** Writes past the server, as another program of the operator's would. */
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
  let heard: string[][];
  beforeEach(async () => {
    server = await startSocketServer({ database: postgres.database });
    ada = await server.backend.signUp();
    heard = followNames(server.url, ada);
    await expect.poll(() => heard).toEqual([[]]);
    return () => server.stop();
  });

  it('is killed: its readers hear of everything after it', LONG, async () => {
    await postgres.kill();
    await expect
      .poll(() => writeDirectly(ada, 'after').then(() => 'written', String), PATIENT)
      .toBe('written');
    await expect.poll(() => heard.at(-1), PATIENT).toEqual(['after']);
    await server.makeProject(ada, 'later');
    await expect.poll(() => heard.at(-1), PATIENT).toEqual(['after', 'later']);
  });

  it(
    'is frozen: what was written meanwhile is shown when it is thawed, to newcomers too',
    LONG,
    async () => {
      await postgres.freeze();
      const written = server.makeProject(ada, 'meanwhile');
      const newcomer = followNames(server.url, ada);
      await postgres.thaw();
      await written;
      await expect.poll(() => heard.at(-1), PATIENT).toEqual(['meanwhile']);
      await expect.poll(() => newcomer.at(-1), PATIENT).toEqual(['meanwhile']);
    },
  );
});

describe('a connection to the database that', () => {
  let proxy: DatabaseProxy;
  let server: SocketServer;
  let ada: Session;
  let heard: string[][];
  beforeEach(async () => {
    proxy = await startDatabaseProxy(postgres.database.connection);
    server = await startSocketServer({
      database: { connection: proxy.connection, drop: async () => {} },
      databaseLimits: { connectMs: 300, queryMs: 300, heartbeatMs: 100, answerMs: 300 },
    });
    ada = await server.backend.signUp();
    heard = followNames(server.url, ada);
    await expect.poll(() => heard).toEqual([[]]);
    return async () => {
      proxy.mend();
      await server.stop();
      await proxy.stop();
    };
  });

  it('is cut: what was written meanwhile is shown when it is mended', LONG, async () => {
    proxy.cut();
    await writeDirectly(ada, 'meanwhile');
    proxy.mend();
    await expect.poll(() => heard.at(-1), PATIENT).toEqual(['meanwhile']);
  });

  it('falls silent: it is given up, and what was written meanwhile is shown', LONG, async () => {
    proxy.silence();
    await writeDirectly(ada, 'meanwhile');
    await expect.poll(() => server.backend.errors.length, PATIENT).toBeGreaterThan(0);
    proxy.mend();
    await expect.poll(() => heard.at(-1), PATIENT).toEqual(['meanwhile']);
    await server.makeProject(ada, 'later');
    await expect.poll(() => heard.at(-1), PATIENT).toEqual(['meanwhile', 'later']);
  });
});
