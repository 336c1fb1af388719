import {
  type AppValues,
  customDomainOf,
  isRecord,
  parseAppValues,
  type SourceRules,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import {
  existingResources,
  invalidValue,
  lockIntegration,
  ResourceProblem,
  requireValuesSize,
} from '../db/resources.ts';
import type { DeployPolicy } from './deploy-permission.ts';
import type { OwnerQuotas } from './owner-quotas.ts';
import { lockProject } from './projects.ts';

/**
 * Generated domains are below the base domain, so custom domains must not be. The console's own host is refused too:
 * browsers send its cookies to every port of that host, and so to the app.
 */
export type AppRules = SourceRules & {
  baseDomain: string;
  publicUrl: string;
  deployPolicy: DeployPolicy;
  quotas: OwnerQuotas;
};

/** The row the values are for. `before`: its stored values, if it exists. */
type Subject = {
  ownerId: string;
  appId: string | undefined;
  before?: unknown;
  wasDeleted?: boolean;
};

type IntegrationField = 'source.secretName' | 'container.pullSecretName';

/** An integration that an app clones or pulls with, and the field that names it. */
type NamedIntegration = { field: IntegrationField; id: string };

const INTEGRATION_TYPES = {
  'source.secretName': 'ssh',
  'container.pullSecretName': 'docker',
} as const satisfies Record<IntegrationField, string>;

/** Checks values by the rules of the contract and of this installation. The error names the field. `before`: stored values. */
export function checkAppValues(values: unknown, rules: AppRules, before?: unknown): AppValues {
  requireValuesSize(values);
  const parsed = parseAppValues(values, rules, before);
  if (!parsed.ok) throw invalidValue(parsed.field, parsed.message);
  const domain = customDomainOf(parsed.value);
  if (domain !== undefined && `.${domain}`.endsWith(`.${rules.baseDomain}`)) {
    throw invalidValue('publicAccess.domain', 'Custom domain must not be below the base domain');
  }
  if (domain === new URL(rules.publicUrl).hostname) {
    throw invalidValue('publicAccess.domain', 'Custom domain must not be the host of the console');
  }
  return parsed.value;
}

/**
 * The project and the integrations that the values name must belong to the app's owner, a new name must be free in the
 * project, and a custom domain must not be verified for another app. Project and integrations are locked until the
 * transaction ends.
 */
export async function requireReferences(
  tx: Database,
  values: AppValues,
  subject: Subject,
): Promise<void> {
  const { ownerId, appId, before } = subject;
  const isNewName = claimsName(values, subject);
  // Exclusive, so that two transactions cannot both find a name free.
  const lock = isNewName ? 'exclusive' : 'shared';
  if (!(await lockProject(tx, { id: values.projectId, ownerId, lock }))) {
    throw invalidValue('projectId', 'Project ID not found');
  }
  if (isNewName) await requireFreeName(tx, values, subject);
  // An integration that was deleted since must not prevent the app from being hibernated.
  const known = integrationsIn(before).map(keyOf);
  for (const named of integrationsIn(values)) {
    if (known.includes(keyOf(named))) continue;
    const { field, id } = named;
    if (!(await lockIntegration(tx, { ownerId, id, type: INTEGRATION_TYPES[field] }))) {
      throw invalidValue(field, 'Integration not found');
    }
  }
  const domain = customDomainOf(values);
  if (domain !== undefined) await requireFreeDomain(tx, domain, appId);
}

/** Whether the name is new in its project. Apps of older versions that share a name keep it until they are renamed. */
function claimsName({ name, projectId }: AppValues, { before, wasDeleted }: Subject): boolean {
  if (!isRecord(before) || wasDeleted === true) return true;
  return before.name !== name || String(before.projectId).toLowerCase() !== projectId;
}

async function requireFreeName(
  tx: Database,
  { name, projectId }: AppValues,
  { ownerId, appId }: Subject,
): Promise<void> {
  const namesake = await existingResources(tx, 'app')
    .select('id')
    .where('user_id', '=', ownerId)
    .where(sql`lower(values ->> 'projectId')`, '=', projectId)
    .where(sql`values ->> 'name'`, '=', name)
    .where(sql<boolean>`id is distinct from ${appId ?? null}::uuid`)
    .limit(1)
    .executeTakeFirst();
  if (namesake === undefined) return;
  throw new ResourceProblem(
    'constraint',
    'values.name: Another app of this project already has this name',
  );
}

/** `values` may have any form: old rows are read too. */
function integrationsIn(values: unknown): NamedIntegration[] {
  const { source, container } = isRecord(values) ? values : {};
  const ids: Record<IntegrationField, unknown> = {
    'source.secretName': isRecord(source) ? source.secretName : undefined,
    'container.pullSecretName': isRecord(container) ? container.pullSecretName : undefined,
  };
  return Object.entries(ids).flatMap(([field, id]) =>
    typeof id === 'string' && id !== '' ? [{ field: field as IntegrationField, id }] : [],
  );
}

function keyOf({ field, id }: NamedIntegration): string {
  return `${field} ${id}`;
}

/** The only check that reads rows of other owners. It reveals that a domain is taken, not by whom. */
async function requireFreeDomain(
  tx: Database,
  domain: string,
  appId: string | undefined,
): Promise<void> {
  const taken = await tx
    .selectFrom('deploy.held_domains')
    .select('app_id')
    .where('domain', '=', domain)
    .where(sql<boolean>`app_id is distinct from ${appId ?? null}::uuid`)
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new ResourceProblem(
    'constraint',
    'values.publicAccess.domain: This domain already belongs to another app',
  );
}
