import { kindOf, type ResourceKind } from '@longshore/contract';
import type { Transaction } from 'kysely';
import { changeApp } from '../../apps/change-app.ts';
import type { AppRules } from '../../apps/check-app-values.ts';
import { changeProject } from '../../apps/projects.ts';
import { readValues } from '../../apps/variables.ts';
import { requireGeneration, updateResource } from '../../db/resources.ts';
import type { Schema } from '../../db/schema.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import { compileStatement, runStatement } from '../run-statement.ts';
import { type Scope, visibleRows } from '../sql/scope.ts';
import { sql } from '../sql/sql.ts';
import { lateValues, type Statement } from '../sql/statement.ts';
import { conditionOf } from '../sql/where.ts';
import { RESOURCES } from '../tables/tables.ts';
import {
  type ColumnChanges,
  columnChanges,
  newValues,
  type UpdateArguments,
} from './update-arguments.ts';

/** What every write needs: the transaction of its request, the rows it may touch, and the rules. */
export type WriteContext = {
  tx: Transaction<Schema>;
  scope: Scope;
  rules: AppRules;
  alias: Statement['alias'];
};

/** The console never changes so many rows at once; each one is checked separately. */
const MAX_CHANGES = 1_000;

type LockedRow = {
  id: string;
  user_id: string;
  chart_name: string;
  values: unknown;
  deleted: boolean;
  generation: string;
  status: string | null;
};

/** Changes the rows that match the condition, all or none, and returns their ids. */
export async function updateResources(
  where: unknown,
  change: UpdateArguments,
  context: WriteContext,
): Promise<string[]> {
  const rows = await lockRows(where, context);
  if (rows.length > MAX_CHANGES) {
    const message = `at most ${MAX_CHANGES} rows may be changed at once`;
    throw new GraphqlProblem('validation-failed', message);
  }
  for (const row of rows) requireGeneration(row, change.generation);
  const valuesOf = newValues(change);
  const columns = columnChanges(change);
  for (const row of await withVariables(rows, context)) {
    await updateOne(row, { columns, valuesOf }, context);
  }
  return rows.map(({ id }) => id);
}

/** The refusal to create a resource of this kind, or to change its values, over GraphQL. */
export function kindProblem(kind: ResourceKind | undefined): GraphqlProblem {
  return new GraphqlProblem(
    'validation-failed',
    kind === 'credential'
      ? 'chart_name: integrations are connected through the integrations service'
      : 'chart_name: must be the name of a project or an app',
  );
}

/** Rows of apps get the values of their variables. */
async function withVariables(rows: LockedRow[], { tx, rules }: WriteContext): Promise<LockedRow[]> {
  const apps = rows.filter(({ chart_name }) => kindOf(chart_name) === 'app');
  const read = await readValues(rules.variables, tx, apps);
  const byId = new Map(read.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
}

/**
 * Ordered by id, so that two writers never deadlock. Not `for update`: adding a release, which refers to the row and locks
 * variables that an edit stores too, must not wait for it.
 */
async function lockRows(where: unknown, context: WriteContext): Promise<LockedRow[]> {
  const target = { table: RESOURCES, alias: context.alias(RESOURCES.name) };
  const row = sql.id(target.alias);
  const statement = sql`
    select ${row}.id, ${row}.user_id, ${row}.chart_name, ${row}.values, ${row}.deleted, ${row}.generation,
      ${row}.status
    from ${visibleRows(RESOURCES, context.scope)} as ${row}
    where ${conditionOf(where, target, context)}
    order by ${row}.id limit ${MAX_CHANGES + 1}::bigint for no key update
  `;
  return await runStatement(compileStatement(statement), context.tx, lateValues(context.scope));
}

async function updateOne(
  row: LockedRow,
  { columns, valuesOf }: { columns: ColumnChanges; valuesOf: ReturnType<typeof newValues> },
  { tx, scope, rules }: WriteContext,
): Promise<void> {
  const { id, user_id: ownerId, values, status } = row;
  const change = {
    deleted: isSet(columns, 'deleted') ? columns.deleted === true : row.deleted,
    values: valuesOf && notNull(valuesOf(values)),
    chartVersion: isSet(columns, 'chart_version') ? String(columns.chart_version) : undefined,
  };
  const kind = kindOf(row.chart_name);
  switch (kind) {
    case 'app': {
      const app = { id, ownerId, values, status, deleted: row.deleted };
      return await changeApp(tx, app, change, { editor: scope, rules });
    }
    case 'project':
      return await changeProject(tx, { id, ownerId, values, deleted: row.deleted }, change);
    default: {
      const { deleted, chartVersion } = change;
      // Integrations can be deleted here; their values belong to the integrations service.
      if (change.values !== undefined || !deleted) throw kindProblem(kind);
      const version = chartVersion === undefined ? {} : { chart_version: chartVersion };
      return await updateResource(tx, id, { deleted, ...version });
    }
  }
}

/** Whether the request sets a column. No column of a resource may become null. */
function isSet(columns: ColumnChanges, column: keyof ColumnChanges): boolean {
  if (columns[column] === null) throw nullProblem(column);
  return columns[column] !== undefined;
}

function notNull(values: unknown): unknown {
  if (values === null) throw nullProblem('values');
  return values;
}

function nullProblem(column: string): GraphqlProblem {
  return new GraphqlProblem(
    'constraint-violation',
    `Not-NULL violation. null value in column "${column}" of relation "resources" violates not-null constraint`,
  );
}
