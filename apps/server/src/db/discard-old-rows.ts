import type pg from 'pg';

/** A large table takes longer than any statement while the server runs. */
const TIMEOUT_MS = 3_600_000;
/** More than `max_wal_size` has segments. */
const MAX_SEGMENTS = 1_000;
const SEGMENT = `name ~ '^[0-9A-F]{24}$'`;

type Query = (text: string) => Promise<string>;

/**
 * Removes what earlier versions of rows have left in the files of the database. Postgres keeps them in the tables until it
 * reuses the space, in its statistics, and in the write-ahead log. Of an external database only the tables and, if its user
 * may do so, the statistics are rewritten.
 */
export async function discardOldRows(
  pool: pg.Pool,
  { tables, isEmbedded }: { tables: string[]; isEmbedded: boolean },
): Promise<void> {
  const client = await pool.connect();
  const query: Query = async (text) => {
    // The types of `pg` lack the timeout of a single query.
    const config = { text, query_timeout: TIMEOUT_MS } as pg.QueryConfig;
    const { rows } = await client.query<{ result: string }>(config);
    return rows[0]?.result ?? '';
  };
  try {
    await query(`set statement_timeout = ${TIMEOUT_MS}`);
    for (const table of tables) await query(`vacuum (full, analyze) ${table}`);
    // Skipped with a warning if the user may not do it.
    await query('vacuum full pg_catalog.pg_statistic');
    if (isEmbedded) await discardLog(query);
  } finally {
    // Closed: the timeout must not stay.
    client.release(true);
  }
}

/** Moves on to a segment that does not exist yet. The next checkpoint deletes all earlier ones. */
async function discardLog(query: Query): Promise<void> {
  const last = await query(`select max(name) as result from pg_ls_waldir() where ${SEGMENT}`);
  const current = () => query('select pg_walfile_name(pg_current_wal_lsn()) as result');
  for (let count = 0; count < MAX_SEGMENTS && (await current()) <= last; count += 1) {
    await query('select pg_switch_wal()::text as result');
    // A switch needs a record in the segment.
    await query(`select pg_logical_emit_message(false, 'longshore', '')::text as result`);
  }
  await query('checkpoint');
}
