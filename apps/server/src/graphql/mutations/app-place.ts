import { chartNameOf, type IntegrationValues } from '@longshore/contract';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import { type CheckedValues, integrationsOf, type NamedIntegration } from './values-check.ts';

type Tx = Transaction<Schema>;
/** `before`: the values it had, if any. */
type Place = { ownerId: string; appId: string | undefined; before?: unknown };

/** What the integrations are good for. */
const TYPES: Record<NamedIntegration['field'], IntegrationValues['type']> = {
  'source.secretName': 'ssh',
  'container.pullSecretName': 'docker',
};

/**
 * An app lives in a project of its owner, under a domain that was verified for nobody else, and takes its source with
 * integrations of its owner.
 */
export async function requirePlace(
  tx: Tx,
  values: CheckedValues,
  { ownerId, appId, before }: Place,
): Promise<void> {
  if (values.kind !== 'app') return;
  await requireOwnProject(tx, values.projectId, ownerId);
  // One that was deleted since must not keep its app from being hibernated.
  const known = integrationsOf(before).map(keyOf);
  for (const named of values.integrations) {
    if (!known.includes(keyOf(named))) await requireOwnIntegration(tx, named, ownerId);
  }
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

/** Locked, so that it cannot be deleted before the app uses it. Another user's is answered like none at all. */
async function requireOwnIntegration(tx: Tx, named: NamedIntegration, ownerId: string) {
  const integration = await tx
    .selectFrom('public.resources')
    .select('id')
    .where('user_id', '=', ownerId)
    .where(sql`id::text`, '=', named.id)
    .where('chart_name', '=', chartNameOf('credential'))
    .where('deleted', '=', false)
    .where(sql`values ->> 'type'`, '=', TYPES[named.field])
    .forShare()
    .executeTakeFirst();
  if (integration === undefined) {
    throw new GraphqlProblem('validation-failed', `values.${named.field}: Integration not found`);
  }
}

function keyOf({ field, id }: NamedIntegration): string {
  return `${field} ${id}`;
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
