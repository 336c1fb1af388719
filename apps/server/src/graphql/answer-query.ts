import type { Database } from '../db/database.ts';
import type { Operation } from './operation.ts';
import { jsonTexts } from './run-statement.ts';
import { rootFieldJson } from './sql/root-field.ts';
import type { Scope } from './sql/scope.ts';
import { createStatement, type Statement } from './sql/statement.ts';

/** The JSON text of each root field that reads tables, all from one statement. */
export async function answerQuery(
  { roots, selection }: Operation,
  { scope, db, maxBytes }: { scope: Scope; db: Database; maxBytes: number },
): Promise<Map<string, string>> {
  const statement: Statement = createStatement(scope, selection);
  const fields = roots.filter(({ name }) => !name.startsWith('__'));
  const texts = await jsonTexts(
    fields.map((field) => rootFieldJson(field, statement)),
    db,
    maxBytes,
  );
  return new Map(fields.map(({ key }, at) => [key, texts[at] ?? 'null']));
}
