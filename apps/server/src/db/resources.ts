import { chartNameOf, type IntegrationValues, type ResourceKind } from '@longshore/contract';
import { type InsertObject, sql, type UpdateObject } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Apps, projects and integrations are rows of one table, `public.resources`. This file holds what they share. Statements on
 * apps and projects are in `apps/`, statements on integrations in `connect/` (decision 56).
 */
type ResourceTable = 'public.resources';

/** Reason why a resource cannot be created or changed. The message is for the user. */
export class ResourceProblem extends Error {
  readonly reason: 'invalid' | 'constraint' | 'conflict';

  constructor(reason: ResourceProblem['reason'], message: string) {
    super(message);
    this.name = 'ResourceProblem';
    this.reason = reason;
  }
}

/** Every change sends all rows of a user to the console, so one row must stay small. */
const MAX_VALUES_LENGTH = 200_000;

/** Rows of one kind that are not deleted. */
export function existingResources(db: Database, kind: ResourceKind) {
  return db
    .selectFrom('public.resources')
    .where('chart_name', '=', chartNameOf(kind))
    .where('deleted', '=', false);
}

export async function isResource(db: Database, id: string): Promise<boolean> {
  const query = db.selectFrom('public.resources').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Id of a resource that is not deleted, locked against deletion until the transaction ends. */
export function existingResourceForShare(id: string) {
  return sql<{
    id: string;
  }>`select id from public.resources where id = ${id} and not deleted for share`;
}

type IntegrationRef = { ownerId: string; id: string; type: IntegrationValues['type'] };

/**
 * Locks an integration of this owner and type against deletion until the transaction ends. Returns whether there is
 * one: another owner's integration counts as none.
 */
export async function lockIntegration(
  tx: Database,
  { ownerId, id, type }: IntegrationRef,
): Promise<boolean> {
  const integration = await existingResources(tx, 'credential')
    .select('id')
    .where('user_id', '=', ownerId)
    .where(sql`id::text`, '=', id)
    .where(sql`values ->> 'type'`, '=', type)
    .forShare()
    .executeTakeFirst();
  return integration !== undefined;
}

export async function insertResource(
  db: Database,
  row: InsertObject<Schema, ResourceTable>,
): Promise<string> {
  const inserted = db.insertInto('public.resources').values(row).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

export async function updateResource(
  db: Database,
  id: string,
  change: UpdateObject<Schema, ResourceTable>,
): Promise<void> {
  await db.updateTable('public.resources').set(change).where('id', '=', id).execute();
}

/** Optimistic locking: an edit based on an older generation must not overwrite a newer one. */
export function requireGeneration(row: { generation: string }, expected: unknown): void {
  if (expected === undefined || expected === null) return;
  if (row.generation === String(expected)) return;
  throw new ResourceProblem(
    'conflict',
    `The resource has changed: it is at generation ${row.generation}, but the edit is based on generation ${expected}`,
  );
}

export function requireValuesSize(values: unknown): void {
  if (JSON.stringify(values ?? null).length <= MAX_VALUES_LENGTH) return;
  throw new ResourceProblem('invalid', 'values: too large');
}

export function invalidValue(field: string, message: string): ResourceProblem {
  return new ResourceProblem('invalid', `values.${field}: ${message}`);
}
