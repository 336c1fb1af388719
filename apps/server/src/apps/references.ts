import {
  type AddressVariable,
  type AppValues,
  decodeDetected,
  isRecord,
  mainPort,
  publicHostsOf,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { existingResources, invalidValue } from '../db/resources.ts';
import type { ReleaseSpec } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';
import { hasReferences, type ReferencedApp, resolveEnv } from './resolve-references.ts';
import { readValues, type Variables } from './variables.ts';

type ReferenceDeps = {
  db: Database;
  variables: Variables;
  baseDomain: string;
  /** The URL of a host that the edge serves. */
  urlOf(host: string): string;
};

type Project = { ownerId: string; projectId: string };

type ReferrerSpec = Pick<
  ReleaseSpec,
  'appId' | 'ownerId' | 'projectId' | 'name' | 'number' | 'env'
>;

/** Instances that started before so many changes of referred values may still run: their values are masked as well. */
export const KEPT_CHANGES = 10;

/**
 * The variables of a release with the values that they refer to, read now. What comes from other apps is stored encrypted with
 * the release, so that its log lines are masked as long as they are written.
 */
export async function resolveRelease(
  { appId, ownerId, projectId, name, number, env }: ReferrerSpec,
  deps: ReferenceDeps,
): Promise<Record<string, string>> {
  // Without a reference only literals are replaced.
  const apps = hasReferences(env) ? await appsOf({ ownerId, projectId }, deps) : new Map();
  const resolved = resolveEnv(env, { name, apps });
  if (!resolved.ok) {
    throw new EngineFailure('reference-not-found', [`${resolved.variable}: ${resolved.problem}.`]);
  }
  if (Object.keys(resolved.referred).length > 0) {
    await storeReferred({ appId, number, referred: resolved.referred }, deps);
  }
  return resolved.env;
}

/**
 * Refuses new variables that refer to something that does not exist, or to themselves. A variable that was stored before stays:
 * an app must not become uneditable because another one was renamed.
 */
export async function requireResolvable(
  tx: Database,
  { ownerId, values, before }: { ownerId: string; values: AppValues; before: unknown },
  variables: Variables,
): Promise<void> {
  const stored = isRecord(before) && isRecord(before.env) ? before.env : {};
  const { name, projectId, env } = values;
  const changed = Object.keys(env).filter((key) => env[key] !== stored[key]);
  if (!hasReferences(Object.fromEntries(changed.map((key) => [key, env[key] ?? ''])))) return;
  const rows = await projectApps(tx, { ownerId, projectId }, variables);
  const known = [...rows.reverse().map((row) => row.values), values];
  const apps = new Map(known.map((app) => [app.name, { env: app.env, address: NO_ADDRESS }]));
  const resolved = resolveEnv(env, { name, apps, only: changed });
  if (!resolved.ok) throw invalidValue(`env.${resolved.variable}`, resolved.problem);
}

const NO_ADDRESS: Record<AddressVariable, string> = { URL: '', HOST: '', PORT: '' };

/** By name. Of apps of older versions that share a name, the oldest. */
async function appsOf(
  project: Project,
  { db, variables, baseDomain, urlOf }: ReferenceDeps,
): Promise<Map<string, ReferencedApp>> {
  const apps = await projectApps(db, project, variables);
  return new Map(
    apps.reverse().map(({ id, values, routedDomains, detected }) => {
      const port = String(decodeDetected(detected).port ?? mainPort(values.ports) ?? '');
      const host = `${values.name}.internal`;
      const [publicHost] = publicHostsOf({ ...values, id }, baseDomain, (domain) =>
        routedDomains.includes(domain),
      );
      const url = publicHost === undefined ? `http://${host}:${port}` : urlOf(publicHost);
      return [values.name, { env: values.env, address: { URL: url, HOST: host, PORT: port } }];
    }),
  );
}

/** The apps of one owner's project, oldest first, with what was found out about the newest release that served. */
async function projectApps(db: Database, { ownerId, projectId }: Project, variables: Variables) {
  const rows = await existingResources(db, 'app')
    .select(['id', 'values'])
    .select([
      sql<string[]>`array(
        select domain from deploy.domain_claims as claim
        where claim.app_id = resources.id and claim.is_routed
      )`.as('routedDomains'),
      sql<unknown>`(
        select detected from deploy.releases as release
        where release.app_id = resources.id and release.outcome = 'live' order by number desc limit 1
      )`.as('detected'),
    ])
    .where('user_id', '=', ownerId)
    .where(sql`lower(values ->> 'projectId')`, '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const read = await readValues(variables, db, rows);
  return read.map((row) => ({ ...row, values: row.values as AppValues }));
}

type Referred = { appId: string; number: number; referred: Record<string, string> };

async function storeReferred(
  { appId, number, referred }: Referred,
  { db, variables }: Pick<ReferenceDeps, 'db' | 'variables'>,
): Promise<void> {
  const hashes = JSON.stringify(variables.hashesOf(appId, referred));
  const kept = sql<string>`(
    select jsonb_agg(hashes order by place) from (
      select ${hashes}::jsonb as hashes, 0 as place
      union all
      select * from jsonb_path_query(referred, '$[*]') with ordinality as earlier (hashes, place)
      where hashes <> ${hashes}::jsonb
      order by place limit ${KEPT_CHANGES}
    ) as newest
  )`;
  await db.transaction().execute(async (tx) => {
    await variables.store(tx, appId, referred);
    await tx
      .updateTable('deploy.releases')
      .set({ referred: kept })
      .where('app_id', '=', appId)
      .where('number', '=', number)
      .where(sql<boolean>`referred -> 0 is distinct from ${hashes}::jsonb`)
      .execute();
  });
}
