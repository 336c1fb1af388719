import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import { GraphqlProblem } from '../graphql-problem.ts';
import { visibleRows } from '../sql/scope.ts';
import { conditionOf } from '../sql/where.ts';
import { RESOURCES } from '../tables/resources.ts';
import { requireNoApps, requirePlace } from './app-place.ts';
import { type ChangeArguments, type Settings, settingsOf, wishedValues } from './change.ts';
import { editMarks } from './edit-marks.ts';
import { checkValues } from './values-check.ts';
import type { Write } from './write.ts';

/** More than this at once is no console's; each is checked by itself. */
const MAX_CHANGES = 1_000;

type Found = {
  id: string;
  user_id: string;
  chart_name: string;
  values: unknown;
  deleted: boolean;
  generation: string;
  status: string | null;
  /** The values it will have; the same as now when nothing is said of them. */
  wished: unknown;
};

/** Changes the rows that fulfil the condition, all or none, and answers which they were. */
export async function updateResources(
  where: unknown,
  change: ChangeArguments,
  write: Write,
): Promise<string[]> {
  const found = await lockedRows(where, change, write);
  if (found.length > MAX_CHANGES) {
    const message = `at most ${MAX_CHANGES} rows may be changed at once`;
    throw new GraphqlProblem('validation-failed', message);
  }
  requireGeneration(found, change.generation);
  const hasWish = wishedValues(change, 'row') !== undefined;
  for (const row of found) await updateOne(row, { ...settingsOf(change), hasWish }, write);
  return found.map(({ id }) => id);
}

/** In the order of their ids, so that two writers never wait for each other. */
async function lockedRows(where: unknown, change: ChangeArguments, write: Write): Promise<Found[]> {
  const target = { table: RESOURCES, alias: write.alias(RESOURCES.name) };
  const row = sql.id(target.alias);
  const wished = wishedValues(change, target.alias) ?? sql`${row}.values`;
  const { rows } = await sql<Found>`
    select ${row}.id, ${row}.user_id, ${row}.chart_name, ${row}.values, ${row}.deleted, ${row}.generation,
      ${row}.status, ${wished} as wished
    from ${visibleRows(RESOURCES, write.scope)} as ${row}
    where ${conditionOf(where, target, write)}
    order by ${row}.id limit ${MAX_CHANGES + 1} for update
  `.execute(write.tx);
  return rows;
}

/** Two writers: an edit that was made from an older state must not silently undo the newer one. */
function requireGeneration(rows: Found[], generation: unknown): void {
  if (generation === undefined || generation === null) return;
  const stale = rows.find((row) => row.generation !== String(generation));
  if (stale === undefined) return;
  const told = `it is at generation ${stale.generation}, the edit was made from ${generation}`;
  throw new GraphqlProblem('conflict', `The resource was changed meanwhile: ${told}`);
}

async function updateOne(
  row: Found,
  { hasWish, ...settings }: Settings & { hasWish: boolean },
  write: Write,
): Promise<void> {
  const { tx, rules } = write;
  const place = { ownerId: row.user_id, appId: row.id, before: row.values };
  const deleted = definite(settings, 'deleted') ? settings.deleted === true : row.deleted;
  const isProject = row.chart_name === chartNameOf('project');
  if (deleted && !row.deleted && isProject) await requireNoApps(tx, row.id, row.user_id);
  // Deleting must work whatever the values are; anything else is checked as if it were new.
  const checked =
    deleted && !hasWish
      ? undefined
      : checkValues(row.chart_name, notNull(row.wished), { userId: row.user_id, rules });
  if (!deleted && checked !== undefined) await requirePlace(tx, checked, place);
  await tx
    .updateTable('public.resources')
    .set({
      deleted,
      ...(checked === undefined ? {} : { values: JSON.stringify(checked.values) }),
      ...(checked?.kind === 'app' && hasWish ? editMarks(row, checked.values, write) : {}),
      ...(definite(settings, 'chart_version')
        ? { chart_version: String(settings.chart_version) }
        : {}),
    })
    .where('id', '=', row.id)
    .execute();
}

/** Whether a column is to be set. No column of a resource may become null. */
function definite(settings: Settings, column: keyof Settings): boolean {
  if (settings[column] === null) throw nullIn(column);
  return settings[column] !== undefined;
}

function notNull(values: unknown): unknown {
  if (values === null) throw nullIn('values');
  return values;
}

function nullIn(column: string): GraphqlProblem {
  return new GraphqlProblem(
    'constraint-violation',
    `Not-NULL violation. null value in column "${column}" of relation "resources" violates not-null constraint`,
  );
}
