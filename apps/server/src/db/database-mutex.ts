import pg from 'pg';
import { createKeyedMutex, type KeyedMutex } from '../concurrency/keyed-semaphore.ts';

type MutexDeps = {
  /** Only its settings are used. Work under a lock needs connections of the pool, which locks must not use up. */
  pool: pg.Pool;
  /** Keys of one scope are not those of another. */
  scope: string;
  waitMs?: number;
};

/** Longer than requests to other services take, which run under these locks. */
const WAIT_MS = 60_000;
const RESPONSE_MS = 5_000;

/**
 * Runs one piece of work at a time per key, on all servers of a database. An advisory lock is held by a connection of its own,
 * so it ends with the server. One server has at most one connection per key.
 */
export function createDatabaseMutex({ pool, scope, waitMs = WAIT_MS }: MutexDeps): KeyedMutex {
  const own = createKeyedMutex();
  return {
    run: (key, work, signal) => own.run(key, () => locked(`${scope} ${key}`, work, signal), signal),
  };

  async function locked<Result>(
    name: string,
    work: () => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const client = new pg.Client({
      ...pool.options,
      statement_timeout: waitMs,
      query_timeout: waitMs + RESPONSE_MS,
      application_name: 'longshore lock',
    });
    // A failing query reports it. Without the connection the work continues: it cannot be undone.
    client.on('error', () => {});
    const end = () => client.end().catch(() => {});
    signal?.addEventListener('abort', end, { once: true });
    try {
      await client.connect();
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
      signal?.throwIfAborted();
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      await end();
    }
  }
}
