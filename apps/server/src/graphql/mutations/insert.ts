import { GraphqlProblem } from '../graphql-problem.ts';
import { requirePlace } from './app-place.ts';
import { causeOf } from './cause.ts';
import { updateResources } from './update.ts';
import { checkValues } from './values-check.ts';
import type { Write } from './write.ts';

export type NewResource = {
  id?: string | null;
  user_id?: string | null;
  chart_name?: string | null;
  chart_version?: string | null;
  values?: unknown;
};

export type OnConflict = { update_columns: string[]; where?: unknown };

const MAX_INSERTS = 1_000;
const CHECK_FAILED = 'check constraint of an insert/update permission has failed';

/** Adds rows, all or none, and answers which they are. */
export async function insertResources(
  resources: NewResource[],
  onConflict: OnConflict | null | undefined,
  write: Write,
): Promise<string[]> {
  if (resources.length > MAX_INSERTS) {
    const message = `at most ${MAX_INSERTS} rows may be inserted at once`;
    throw new GraphqlProblem('validation-failed', message);
  }
  const ids: string[] = [];
  for (const resource of resources) {
    const known = onConflict ? await existing(resource, write) : undefined;
    if (known !== undefined && onConflict) ids.push(...(await settle(resource, onConflict, write)));
    else ids.push(await insertOne(resource, write));
  }
  return ids;
}

async function insertOne(resource: NewResource, write: Write): Promise<string> {
  const { tx, scope, rules } = write;
  const ownerId = resource.user_id?.toLowerCase();
  if (scope.role === 'user' && ownerId !== scope.userId) {
    throw new GraphqlProblem('permission-error', CHECK_FAILED);
  }
  const chartName = resource.chart_name ?? '';
  const checked = checkValues(chartName, resource.values, { userId: ownerId ?? '', rules });
  if (ownerId !== undefined) await requirePlace(tx, checked, { ownerId, appId: undefined });
  const { id } = await tx
    .insertInto('public.resources')
    .values({
      ...(resource.id ? { id: resource.id } : {}),
      user_id: ownerId as string,
      chart_name: chartName,
      chart_version: resource.chart_version ?? '',
      values: JSON.stringify(checked.values),
      status: checked.kind === 'app' ? 'syncing' : 'synced',
      message: checked.kind === 'app' ? 'Waiting to reconcile' : null,
      ...(checked.kind === 'app' && { cause: causeOf(write) }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Only who may choose an id can meet a row that has it. */
async function existing({ id }: NewResource, { tx }: Write): Promise<string | undefined> {
  if (!id) return undefined;
  const query = tx.selectFrom('public.resources').select('id').where('id', '=', id);
  return (await query.executeTakeFirst())?.id;
}

/** What `on_conflict` says: to change the columns it names where its condition holds, or to leave the row. */
async function settle(
  resource: NewResource,
  { update_columns, where }: OnConflict,
  write: Write,
): Promise<string[]> {
  const set = Object.fromEntries(
    Object.entries(resource).filter(([column]) => update_columns.includes(column)),
  );
  if (Object.keys(set).length === 0) return [];
  const condition = { _and: [{ id: { _eq: resource.id } }, where ?? {}] };
  return await updateResources(condition, { _set: set }, write);
}
