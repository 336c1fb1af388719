import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Connection, DATABASE_LIMITS } from '../db/database.ts';

/** A lock of the whole database, taken by one server at a time. It is lost with its connection. */
export type DatabaseLock = {
  /** False: another server has it. */
  tryTake(): Promise<boolean>;
  /** Runs a statement on the connection of the lock: what a server stores as the holder, it stores before another one holds it. */
  query(text: string, values: unknown[]): Promise<void>;
  /** Aborted when the connection has ended or does not answer: another server may have the lock soon. */
  lost: AbortSignal;
  /** Also releases it. */
  close(): Promise<void>;
};

export type DatabaseLockDeps = {
  connection: Connection;
  onError(error: unknown): void;
  limits?: Partial<typeof LIMITS>;
};

/** An arbitrary number that no other program of this database uses; that of migrations is one less. */
const LOCK_KEY = 5_317_402;

const LIMITS = { heartbeatMs: 2_000, responseMs: 3_000 };

/**
 * Postgres releases the lock of a machine that vanished after 11 seconds, and that of a frozen process after 10. The heartbeat of the
 * server fails after 5 of them, so two servers do not hold it at once.
 */
const SESSION = `
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3;
  set idle_session_timeout = '10s'`;

export async function openDatabaseLock(deps: DatabaseLockDeps): Promise<DatabaseLock> {
  const { heartbeatMs, responseMs } = { ...LIMITS, ...deps.limits };
  const client = new pg.Client({
    ...deps.connection,
    connectionTimeoutMillis: DATABASE_LIMITS.connectMs,
    query_timeout: responseMs,
    application_name: 'longshore leader',
  });
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  // The end follows, and the failing query reports the reason.
  client.on('error', () => lost.abort());
  try {
    await client.connect();
    await client.query(SESSION);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  void watch();
  return {
    lost: lost.signal,
    async tryTake() {
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock($1) as taken',
        [LOCK_KEY],
      );
      return rows[0]?.taken === true;
    },
    async query(text, values) {
      await client.query(text, values);
    },
    async close() {
      lost.abort();
      await end();
    },
  };

  async function watch(): Promise<void> {
    try {
      for (;;) {
        await delay(heartbeatMs, undefined, { signal: lost.signal, ref: false });
        await client.query('select');
      }
    } catch (error) {
      if (lost.signal.aborted) return;
      lost.abort();
      deps.onError(error);
      await end();
    }
  }

  /** A database that does not answer must not block a stop. */
  async function end(): Promise<void> {
    await Promise.race([
      client.end().catch(() => {}),
      delay(responseMs, undefined, { ref: false }),
    ]);
  }
}
