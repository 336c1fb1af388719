import { chartNameOf, type ProjectValues, parseProjectValues } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import {
  existingResources,
  insertResource,
  invalidValue,
  ResourceProblem,
  requireValuesSize,
  updateResource,
} from '../db/resources.ts';

export type NewProject = {
  id: string | undefined;
  ownerId: string | undefined;
  chartVersion: string;
  values: unknown;
};

/** A project as its row was read, locked for update in the same transaction. */
export type LockedProject = { id: string; ownerId: string; values: unknown; deleted: boolean };

/** `values`: the complete new values. Undefined: they stay, and are checked again unless the project is deleted. */
export type ProjectChange = {
  deleted: boolean;
  values: unknown;
  chartVersion: string | undefined;
};

export async function createProject(tx: Database, project: NewProject): Promise<string> {
  const values = checkProjectValues(project.values, project.ownerId ?? '');
  return await insertResource(tx, {
    ...(project.id === undefined ? {} : { id: project.id }),
    // The database refuses a row without an owner, with an error that names the column.
    user_id: project.ownerId as string,
    chart_name: chartNameOf('project'),
    chart_version: project.chartVersion,
    values: JSON.stringify(values),
    status: 'synced',
    message: null,
  });
}

export async function changeProject(
  tx: Database,
  project: LockedProject,
  { deleted, values, chartVersion }: ProjectChange,
): Promise<void> {
  const { id, ownerId } = project;
  if (deleted && !project.deleted) await requireNoApps(tx, id, ownerId);
  const checked =
    deleted && values === undefined
      ? undefined
      : checkProjectValues(values ?? project.values, ownerId);
  await updateResource(tx, id, {
    deleted,
    ...(checked === undefined ? {} : { values: JSON.stringify(checked) }),
    ...(chartVersion === undefined ? {} : { chart_version: chartVersion }),
  });
}

type ProjectLock = { id: string; ownerId: string; lock: 'shared' | 'exclusive' };

/** Locks a project of this owner against deletion until the transaction ends. Returns whether there is one. */
export async function lockProject(
  tx: Database,
  { id, ownerId, lock }: ProjectLock,
): Promise<boolean> {
  const project = existingResources(tx, 'project')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('id', '=', id);
  const locked = lock === 'shared' ? project.forShare() : project.forNoKeyUpdate();
  return (await locked.executeTakeFirst()) !== undefined;
}

function checkProjectValues(values: unknown, ownerId: string): ProjectValues {
  requireValuesSize(values);
  const parsed = parseProjectValues(values);
  if (!parsed.ok) throw invalidValue(parsed.field, parsed.message);
  if (parsed.value.userId !== ownerId) {
    throw invalidValue('userId', 'User ID missing, please sign in again');
  }
  return parsed.value;
}

async function requireNoApps(tx: Database, projectId: string, ownerId: string): Promise<void> {
  const app = await existingResources(tx, 'app')
    .select('id')
    .where('user_id', '=', ownerId)
    .where(sql`lower(values ->> 'projectId')`, '=', projectId)
    .limit(1)
    .executeTakeFirst();
  if (app !== undefined) {
    throw new ResourceProblem('constraint', 'Please check dependencies first.');
  }
}
