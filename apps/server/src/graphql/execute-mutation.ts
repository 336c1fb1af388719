import type { Transaction } from 'kysely';
import type { AppRules } from '../apps/check-app-values.ts';
import { lockAppsOf } from '../apps/owner-quotas.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { databaseProblem } from './database-problem.ts';
import { mutationResultJson } from './mutations/mutation-result-json.ts';
import { runMutation } from './mutations/run-mutation.ts';
import type { Operation } from './operation.ts';
import { jsonStatement, jsonTexts } from './run-statement.ts';
import type { SelectedField } from './selection.ts';
import type { Scope } from './sql/scope.ts';
import { createStatement, lateValues } from './sql/statement.ts';
import { unsealTexts } from './unseal-texts.ts';

type MutationDeps = { scope: Scope; db: Database; maxBytes: number; rules: AppRules };

/** Runs all root fields in one transaction, and returns the JSON text of each. */
export async function executeMutation(
  { roots, selection }: Operation,
  { scope, db, maxBytes, rules }: MutationDeps,
): Promise<Map<string, string>> {
  const fields = roots.filter(({ name }) => !name.startsWith('__'));
  return await db.transaction().execute(async (tx) => {
    if (scope.role === 'user') await lockAppsOf(tx, scope.userId);
    const texts = new Map<string, string>();
    for (const field of fields) texts.set(field.key, await runField(field, tx));
    return texts;
  });

  async function runField(field: SelectedField, tx: Transaction<Schema>): Promise<string> {
    const statement = createStatement(scope, selection);
    try {
      const write = { tx, scope, rules, alias: statement.alias };
      const written = await runMutation(field.name, field.args, write);
      const result = jsonStatement([mutationResultJson(written, field, statement)]);
      const values = lateValues(scope, maxBytes);
      const texts = await jsonTexts(result, tx, values);
      const { variables } = rules;
      const mark = statement.usesMark() ? values.mark : undefined;
      const [text] = await unsealTexts(texts, { mark, db: tx, variables, maxBytes });
      return text ?? 'null';
    } catch (error) {
      throw databaseProblem(error, argumentsPath(field)) ?? error;
    }
  }
}

/** Hasura's path of an error: `$.selectionSet.insert_resources_one.args.object`. */
function argumentsPath({ key, args }: SelectedField): string {
  const [argument] = ['object', 'objects', '_set'].filter((name) => Object.hasOwn(args, name));
  return ['$', 'selectionSet', key, 'args', ...(argument === undefined ? [] : [argument])].join(
    '.',
  );
}
