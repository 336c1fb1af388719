import type { Database } from '../db/database.ts';
import type { Operation } from './operation.ts';
import { runStatement } from './run-statement.ts';
import type { Scope } from './sql/scope.ts';
import { createStatement } from './sql/statement.ts';
import { type StreamCursor, streamStatement } from './sql/stream-json.ts';

/** The next rows of a stream, and where to go on after them; null when there were none. */
export type Batch = { data: unknown; next: StreamCursor | null };

export async function answerStream(
  { roots, selection }: Operation,
  { scope, db, after }: { scope: Scope; db: Database; after: StreamCursor | undefined },
): Promise<Batch> {
  const [field] = roots;
  if (field === undefined) return { data: {}, next: null };
  const statement = streamStatement(field, after, createStatement(scope, selection));
  const [row] = await runStatement<{ rows: string; next: StreamCursor | null }>(statement, db);
  return { data: { [field.key]: JSON.parse(row?.rows ?? '[]') }, next: row?.next ?? null };
}

/** A field of `…_stream` sends each row once; any other one is a live query. */
export function isStream({ definition, roots }: Operation): boolean {
  return definition.operation === 'subscription' && (roots[0]?.name.endsWith('_stream') ?? false);
}
