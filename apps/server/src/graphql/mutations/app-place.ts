import { chartNameOf } from '@longshore/contract';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { CheckedValues } from './values-check.ts';

type Tx = Transaction<Schema>;
type Place = { ownerId: string; appId: string | undefined };

/** An app lives in a project of its owner, under a domain that was verified for nobody else. */
export async function requirePlace(
  tx: Tx,
  values: CheckedValues,
  { ownerId, appId }: Place,
): Promise<void> {
  if (values.kind !== 'app') return;
  await requireOwnProject(tx, values.projectId, ownerId);
  if (values.customDomain !== undefined) await requireFreeDomain(tx, values.customDomain, appId);
}

/** Spec §5, Project deletion. */
export async function requireNoApps(tx: Tx, projectId: string, ownerId: string): Promise<void> {
  const app = await tx
    .selectFrom('public.resources')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false)
    .where(sql`values ->> 'projectId'`, '=', projectId)
    .limit(1)
    .executeTakeFirst();
  if (app !== undefined) {
    throw new GraphqlProblem('constraint-violation', 'Please check dependencies first.');
  }
}

/** Locked, so that the project cannot be deleted before the app is in it. */
async function requireOwnProject(tx: Tx, projectId: string, ownerId: string): Promise<void> {
  const project = await tx
    .selectFrom('public.resources')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('id', '=', projectId)
    .where('chart_name', '=', chartNameOf('project'))
    .where('deleted', '=', false)
    .forShare()
    .executeTakeFirst();
  if (project === undefined) {
    throw new GraphqlProblem('validation-failed', 'values.projectId: Project ID not found');
  }
}

/** The one look beyond the owner's rows: whether a domain leads to another app for sure, not to whose. */
async function requireFreeDomain(tx: Tx, domain: string, appId: string | undefined): Promise<void> {
  const taken = await tx
    .selectFrom('deploy.held_domains')
    .select('app_id')
    .where('domain', '=', domain)
    .where(sql<boolean>`app_id is distinct from ${appId ?? null}::uuid`)
    .executeTakeFirst();
  if (taken !== undefined) {
    throw new GraphqlProblem(
      'constraint-violation',
      'values.publicAccess.domain: This domain already leads to another app',
    );
  }
}
