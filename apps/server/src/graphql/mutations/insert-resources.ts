import { kindOf } from '@longshore/contract';
import { createApp } from '../../apps/change-app.ts';
import { createProject } from '../../apps/projects.ts';
import { isResource } from '../../db/resources.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import { kindProblem, updateResources, type WriteContext } from './update-resources.ts';

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

/** Inserts rows, all or none, and returns their ids. */
export async function insertResources(
  resources: NewResource[],
  onConflict: OnConflict | null | undefined,
  context: WriteContext,
): Promise<string[]> {
  if (resources.length > MAX_INSERTS) {
    const message = `at most ${MAX_INSERTS} rows may be inserted at once`;
    throw new GraphqlProblem('validation-failed', message);
  }
  const ids: string[] = [];
  for (const resource of resources) {
    if (onConflict && (await exists(resource, context))) {
      ids.push(...(await resolveConflict(resource, onConflict, context)));
    } else {
      ids.push(await insertOne(resource, context));
    }
  }
  return ids;
}

async function insertOne(resource: NewResource, context: WriteContext): Promise<string> {
  const { tx, scope, rules } = context;
  const ownerId = resource.user_id?.toLowerCase();
  if (scope.role === 'user' && ownerId !== scope.userId) {
    throw new GraphqlProblem('permission-error', CHECK_FAILED);
  }
  const id = resource.id || undefined;
  const chartVersion = resource.chart_version ?? '';
  const { values } = resource;
  const kind = kindOf(resource.chart_name ?? '');
  switch (kind) {
    case 'app':
      return await createApp(tx, { id, ownerId, chartVersion, values }, { editor: scope, rules });
    case 'project':
      return await createProject(tx, { id, ownerId, chartVersion, values });
    default:
      throw kindProblem(kind);
  }
}

/** Only callers that may choose an id can hit an existing row. */
async function exists({ id }: NewResource, { tx }: WriteContext): Promise<boolean> {
  return id ? await isResource(tx, id) : false;
}

/** Applies `on_conflict`: updates the named columns if its condition holds, or leaves the row. */
async function resolveConflict(
  resource: NewResource,
  { update_columns, where }: OnConflict,
  context: WriteContext,
): Promise<string[]> {
  const set = Object.fromEntries(
    Object.entries(resource).filter(([column]) => update_columns.includes(column)),
  );
  if (Object.keys(set).length === 0) return [];
  const condition = { _and: [{ id: { _eq: resource.id } }, where ?? {}] };
  return await updateResources(condition, { _set: set }, context);
}
