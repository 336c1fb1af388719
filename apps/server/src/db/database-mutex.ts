import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createKeyedMutex, type KeyedMutex } from '../concurrency/keyed-semaphore.ts';
import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts';

type MutexDeps = {
  /** Only its settings are used. Work under a lock needs connections of the pool, which locks must not use up. */
  pool: pg.Pool;
  /** Keys of one scope are not those of another. */
  scope: string;
  limits?: Partial<typeof LIMITS>;
};

/** `waitMs` is longer than requests to other services take, which run under these locks. */
const LIMITS = { waitMs: 60_000, responseMs: 5_000, retryMs: 200 };

/** Postgres releases the locks of a machine that vanished after these 11 seconds. */
const KEEP_ALIVE =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3';

type LockConnection = {
  client: pg.Client;
  opened: Promise<unknown>;
  turns: Semaphore;
  users: number;
};

/**
 * Runs one piece of work at a time per key, on all servers of a database. All advisory locks of a server are held by one connection,
 * which is open only while there are any, so they end with the server.
 */
export function createDatabaseMutex({ pool, scope, ...deps }: MutexDeps): KeyedMutex {
  const { waitMs, responseMs, retryMs } = { ...LIMITS, ...deps.limits };
  const own = createKeyedMutex();
  let current: LockConnection | undefined;
  return {
    run: (key, work, signal) => own.run(key, () => locked(`${scope} ${key}`, work, signal), signal),
  };

  async function locked<Result>(
    name: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    current ??= open();
    const connection = current;
    connection.users += 1;
    try {
      await take(connection, name, signal);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        // If it fails, the lock ends with the connection, which has no new users.
        await ask(connection, 'pg_advisory_unlock', name).catch(() => {});
      }
    } finally {
      connection.users -= 1;
      if (connection.users === 0) await close(connection);
    }
  }

  function open(): LockConnection {
    const client = new pg.Client({
      ...pool.options,
      query_timeout: responseMs,
      application_name: 'longshore locks',
    });
    const opened = client.connect().then(() => client.query(KEEP_ALIVE));
    const connection = { client, opened, turns: createSemaphore(1), users: 0 };
    // A failing query reports it. Without the connection the work continues: it cannot be undone.
    client.on('error', () => replace(connection));
    return connection;
  }

  /** Asks again and again: a statement that waits would block the other locks of the connection. */
  async function take(
    connection: LockConnection,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const endsAt = performance.now() + waitMs;
    while (!(await ask(connection, 'pg_try_advisory_lock', name))) {
      signal?.throwIfAborted();
      if (performance.now() > endsAt) throw new Error('Timeout: another server has the lock');
      await delay(retryMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  async function ask(
    connection: LockConnection,
    lockFunction: 'pg_try_advisory_lock' | 'pg_advisory_unlock',
    name: string,
  ): Promise<boolean> {
    const { client, opened, turns } = connection;
    return await turns.run(async () => {
      if (connection !== current) throw new Error('The connection that has the locks failed');
      try {
        await opened;
        const statement = `select ${lockFunction}(hashtextextended($1, 0)) as is_done`;
        const { rows } = await client.query<{ is_done: boolean }>(statement, [name]);
        return rows[0]?.is_done === true;
      } catch (error) {
        replace(connection);
        throw error;
      }
    });
  }

  /** Later work does not use a connection that failed. */
  function replace(connection: LockConnection): void {
    if (current === connection) current = undefined;
  }

  /** A database that does not answer must not block what waits for the work. */
  async function close(connection: LockConnection): Promise<void> {
    replace(connection);
    const { client } = connection;
    const timeout = new AbortController();
    await Promise.race([
      client.end().catch(() => {}),
      delay(responseMs, undefined, timeout).catch(() => {}),
    ]);
    timeout.abort();
    client.connection.stream.destroy();
  }
}
