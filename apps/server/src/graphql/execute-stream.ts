import type { Variables } from '../apps/variables.ts';
import type { Database } from '../db/database.ts';
import type { Operation } from './operation.ts';
import { resultTooLarge, runStatement } from './run-statement.ts';
import type { Scope } from './sql/scope.ts';
import { sql } from './sql/sql.ts';
import { createStatement } from './sql/statement.ts';
import { type StreamCursor, streamStatement } from './sql/stream-sql.ts';
import { unsealTexts } from './unseal-texts.ts';

/** The next rows of a stream, and the cursor after them; null if there were none. */
export type StreamBatch = { data: unknown; next: StreamCursor | null };

type StreamDeps = {
  scope: Scope;
  db: Database;
  variables: Variables;
  after: StreamCursor | undefined;
  maxBytes: number;
};

/** Postgres does not send a batch that is too large. */
export async function executeStream(
  { roots, selection }: Operation,
  { scope, db, variables, after, maxBytes }: StreamDeps,
): Promise<StreamBatch> {
  const [field] = roots;
  if (field === undefined) return { data: {}, next: null };
  const reading = createStatement(scope, selection);
  const batch = streamStatement(field, after, reading);
  const statement = sql`
    with batch as materialized (${batch})
    select case when octet_length("rows") <= ${maxBytes}::bigint then "rows" end as "rows", "next" from batch
  `;
  const [row] = await runStatement<BatchRow>(statement, db);
  if (typeof row?.rows !== 'string') throw resultTooLarge();
  const texts = await unsealTexts([row.rows], { statement: reading, db, variables, maxBytes });
  return { data: { [field.key]: JSON.parse(texts[0] ?? 'null') }, next: row.next };
}

type BatchRow = { rows: string | null; next: StreamCursor | null };

/** A `…_stream` field sends each row once; every other subscription is a live query. */
export function isStream({ definition, roots }: Operation): boolean {
  return definition.operation === 'subscription' && (roots[0]?.name.endsWith('_stream') ?? false);
}
