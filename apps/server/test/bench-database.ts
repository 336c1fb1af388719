import { CHART_VERSION, chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';

const START_TIMEOUT_MS = 120_000;

/** An embedded database of its own in this folder. `onError`: for errors of connections that are not used. */
export async function openBenchDatabase(dataDir: string, onError = rethrow) {
  return await openDatabase({
    dataDir,
    isRoot: process.getuid?.() === 0,
    signal: AbortSignal.timeout(START_TIMEOUT_MS),
    databaseUrl: undefined,
    log() {},
    warn() {},
    onError,
    prepare: async () => {},
  });
}

function rethrow(error: unknown): void {
  throw error;
}

/** Apps of a new user. Returns their ids. */
export async function insertApps(db: Database, count: number, values: object): Promise<string[]> {
  const users = await sql<{ id: string }>`
    insert into auth.users (email) values ('ada@example.com') returning id`.execute(db);
  const rows = await sql<{ id: string }>`
    insert into public.resources (user_id, chart_name, chart_version, values)
    select ${users.rows[0]?.id}::uuid, ${chartNameOf('app')}, ${CHART_VERSION}, ${JSON.stringify(values)}::jsonb
    from generate_series(1, ${count}::int) returning id`.execute(db);
  return rows.rows.map(({ id }) => id);
}
