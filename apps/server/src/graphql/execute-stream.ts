import type { Variables } from '../apps/variables.ts';
import type { Database } from '../db/database.ts';
import type { Operation } from './operation.ts';
import { compileStatement, resultTooLarge, runStatement } from './run-statement.ts';
import type { Scope } from './sql/scope.ts';
import { sql } from './sql/sql.ts';
import { createStatement, lateValues } from './sql/statement.ts';
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
  const statement = compileStatement(sql`
    with batch as materialized (${batch})
    select case when octet_length("rows") <= ${sql.late('maxBytes')}::bigint then "rows" end as "rows", "next" from batch
  `);
  const values = lateValues(scope, maxBytes);
  const [row] = await runStatement<BatchRow>(statement, db, values);
  if (typeof row?.rows !== 'string') throw resultTooLarge();
  const mark = reading.usesMark() ? values.mark : undefined;
  const texts = await unsealTexts([row.rows], { mark, db, variables, maxBytes });
  return { data: { [field.key]: JSON.parse(texts[0] ?? 'null') }, next: row.next };
}

type BatchRow = { rows: string | null; next: StreamCursor | null };

/** A `…_stream` field sends each row once; every other subscription is a live query. */
export function isStream({ definition, roots }: Operation): boolean {
  return definition.operation === 'subscription' && (roots[0]?.name.endsWith('_stream') ?? false);
}
