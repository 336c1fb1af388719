import type { Database } from '../db/database.ts';
import type { Operation } from './operation.ts';
import { resultTooLarge, runStatement } from './run-statement.ts';
import type { Scope } from './sql/scope.ts';
import { sql } from './sql/sql.ts';
import { createStatement } from './sql/statement.ts';
import { type StreamCursor, streamStatement } from './sql/stream-sql.ts';

/** The next rows of a stream, and the cursor after them; null if there were none. */
export type StreamBatch = { data: unknown; next: StreamCursor | null };

type StreamDeps = {
  scope: Scope;
  db: Database;
  after: StreamCursor | undefined;
  maxBytes: number;
};

/** Postgres does not send a batch that is too large. */
export async function executeStream(
  { roots, selection }: Operation,
  { scope, db, after, maxBytes }: StreamDeps,
): Promise<StreamBatch> {
  const [field] = roots;
  if (field === undefined) return { data: {}, next: null };
  const batch = streamStatement(field, after, createStatement(scope, selection));
  const statement = sql`
    with batch as materialized (${batch})
    select case when octet_length("rows") <= ${maxBytes}::bigint then "rows" end as "rows", "next" from batch
  `;
  const [row] = await runStatement<BatchRow>(statement, db);
  if (typeof row?.rows !== 'string') throw resultTooLarge();
  return { data: { [field.key]: JSON.parse(row.rows) }, next: row.next };
}

type BatchRow = { rows: string | null; next: StreamCursor | null };

/** A `…_stream` field sends each row once; every other subscription is a live query. */
export function isStream({ definition, roots }: Operation): boolean {
  return definition.operation === 'subscription' && (roots[0]?.name.endsWith('_stream') ?? false);
}
