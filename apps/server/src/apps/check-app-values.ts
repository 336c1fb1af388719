import {
  type AppValueRules,
  type AppValues,
  customDomainsOf,
  foreignRedirectProblem,
  isRecord,
  ownHosts,
  parseAppValues,
  reservedDomainProblem,
  runningProcesses,
  SLEEPING_APP_PROBLEM,
  sleepingProcessesProblem,
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
import { processesOf } from './quota.ts';
import { requireResolvable } from './references.ts';
import { liveReleases } from './releases.ts';
import type { Variables } from './variables.ts';

/**
 * Generated domains are below the base domain, so custom domains must not be. The console's own host is refused too:
 * browsers send its cookies to every port of that host, and so to the app.
 */
export type AppRules = AppValueRules & {
  baseDomain: string;
  publicUrl: string;
  deployPolicy: DeployPolicy;
  quotas: OwnerQuotas;
  variables: Variables;
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

/** `before`: the stored values of an existing app. */
type CheckedApp = { id: string; values: unknown; before?: unknown };

/** Checks values by the rules of the contract and of this installation. The error names the field. */
export function checkAppValues({ id, values, before }: CheckedApp, rules: AppRules): AppValues {
  requireValuesSize(values);
  const parsed = parseAppValues(values, rules, before);
  if (!parsed.ok) throw invalidValue(parsed.field, parsed.message);
  for (const domain of customDomainsOf(parsed.value)) {
    const problem = reservedDomainProblem(domain, rules);
    if (problem !== undefined) throw invalidValue(domainField(domain, parsed.value), problem);
  }
  const hosts = ownHosts({ ...parsed.value, id }, rules.baseDomain);
  const redirects = parsed.value.edge?.redirects ?? [];
  const problem = foreignRedirectProblem(redirects, hosts, redirectedHosts(before));
  if (problem !== undefined) throw invalidValue('edge.redirects', problem);
  return parsed.value;
}

/** Old rows may have values of any form. */
function redirectedHosts(values: unknown): string[] {
  const { redirects } = isRecord(values) && isRecord(values.edge) ? values.edge : {};
  return (Array.isArray(redirects) ? redirects : []).flatMap((redirect) =>
    isRecord(redirect) && typeof redirect.from === 'string' ? [redirect.from] : [],
  );
}

/** The field that names the custom domain. */
function domainField(domain: string, { publicAccess }: AppValues): string {
  return publicAccess.domain === domain ? 'publicAccess.domain' : 'publicAccess.domains';
}

/**
 * The project and the integrations that the values name must belong to the app's owner, a new name must be free in the
 * project, and so must a new custom domain be among the owner's apps. Other accounts may enter the same domain: who proves it
 * is routed. Project and integrations are locked until the transaction ends. New variables must not refer to what does not
 * exist.
 */
export async function requireReferences(
  tx: Database,
  values: AppValues,
  subject: Subject & { variables: Variables },
): Promise<void> {
  const { ownerId, before, variables } = subject;
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
  await requireFreeDomains(tx, values, subject);
  await requireNoProcesses(tx, values, subject);
  await requireResolvable(tx, { ownerId, values, before }, variables);
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

/** Domains that were stored before stay, also if two apps had the same one. */
async function requireFreeDomains(
  tx: Database,
  values: AppValues,
  { ownerId, appId, before, wasDeleted }: Subject,
): Promise<void> {
  const known = wasDeleted === true ? [] : storedDomains(before);
  const added = customDomainsOf(values).filter((domain) => !known.includes(domain));
  if (added.length === 0) return;
  const other = await existingResources(tx, 'app')
    .innerJoin('deploy.domain_claims as claim', 'claim.app_id', 'public.resources.id')
    .select(['claim.domain', sql<string>`values ->> 'name'`.as('name')])
    .where('claim.user_id', '=', ownerId)
    .where('claim.domain', 'in', added)
    .where(sql<boolean>`claim.app_id is distinct from ${appId ?? null}::uuid`)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) return;
  const field = domainField(other.domain, values);
  throw new ResourceProblem(
    'constraint',
    `values.${field}: Your app ${other.name} already uses ${other.domain}. Remove it there first`,
  );
}

/** An app that runs processes of its Procfile cannot begin to sleep, and one that sleeps cannot begin to run them. */
async function requireNoProcesses(
  tx: Database,
  values: AppValues,
  { appId, before }: Subject,
): Promise<void> {
  const wasSleeping = isRecord(before) && isRecord(before.sleep);
  if (values.sleep === undefined || appId === undefined) return;
  const [release] = await liveReleases(tx, appId);
  const runningWith = (of: Parameters<typeof processesOf>[0]) =>
    runningProcesses(processesOf(of, release?.detected.processes ?? {}));
  const running = runningWith(values);
  if (!wasSleeping) {
    const problem = sleepingProcessesProblem(running);
    if (problem !== undefined) throw invalidValue('sleep', problem);
    return;
  }
  const known = runningWith(before);
  // A new Procfile may have brought some since: then other edits stay possible.
  if (running.some((name) => !known.includes(name))) {
    throw invalidValue('processes', SLEEPING_APP_PROBLEM);
  }
}

/** Old rows may have values of any form. */
function storedDomains(values: unknown): string[] {
  const { domain, domains } =
    isRecord(values) && isRecord(values.publicAccess) ? values.publicAccess : {};
  return [domain, ...(Array.isArray(domains) ? domains : [])].filter(
    (each) => typeof each === 'string',
  );
}
