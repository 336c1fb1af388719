import { type Capacity, decodeServingProcesses, type TierTable } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { ResourceProblem } from '../db/resources.ts';
import { activeCommands } from './active-commands.ts';
import { appsOnEngine } from './apps.ts';
import {
  type AccountKind,
  ANONYMOUS_MESSAGE,
  type CountedApp,
  capacityOf,
  growthOf,
  isAwake,
  isGrowth,
  NO_OVERRIDE,
  ofProcess,
  processesOf,
  type Quota,
  type QuotaOverride,
  quotaOf,
  quotaProblem,
  sumOf,
  type UsedApps,
} from './quota.ts';
import { liveReleases } from './releases.ts';

/** `appId` and `before` are undefined for a new app. */
export type CountedChange = {
  appId: string | undefined;
  ownerId: string;
  before: CountedApp | undefined;
  after: CountedApp;
};

/**
 * The only place that checks quotas. Every way to create an app or to make one grow calls it in the transaction that writes
 * the row.
 */
export type OwnerQuotas = {
  /** Why the owner may not make this change. Locks the apps of the owner until the transaction ends if they grow. */
  problemOf(tx: Database, change: CountedChange): Promise<string | undefined>;
  /** Throws the problem for the user. */
  require(tx: Database, change: CountedChange): Promise<void>;
  /** Throws if the owner may deploy nothing at all. */
  requireMayDeploy(db: Database, ownerId: string): Promise<void>;
  quotaOf(db: Database, ownerId: string): Promise<Quota>;
};

export type OwnerQuotasOptions = {
  quota: Quota;
  tiers: TierTable;
  accountKind(db: Database, userId: string): Promise<AccountKind>;
  /** What an operator has set for the user. Default: nothing. */
  overrideOf?(db: Database, userId: string): Promise<QuotaOverride>;
};

export function createOwnerQuotas({
  quota,
  tiers,
  accountKind,
  overrideOf = async () => NO_OVERRIDE,
}: OwnerQuotasOptions): OwnerQuotas {
  async function problemOf(
    tx: Database,
    { appId, ownerId, before, after }: CountedChange,
  ): Promise<string | undefined> {
    const procfile = appId === undefined ? undefined : await procfileOf(tx, appId);
    const growth = growthOf(before && { ...before, procfile }, { ...after, procfile }, tiers);
    // Deleting and hibernating are always possible.
    if (growth.apps === 0 && !isAwake(after)) return undefined;
    const account = await accountKind(tx, ownerId);
    if (account === 'anonymous') return ANONYMOUS_MESSAGE;
    if (account === 'operator' || !isGrowth(growth)) return undefined;
    await lockAppsOf(tx, ownerId);
    const limits = quotaOf(account, quota, await overrideOf(tx, ownerId));
    return quotaProblem(await countApps(tx, ownerId, tiers, appId), growth, limits);
  }

  return {
    problemOf,
    async require(tx, change) {
      const problem = await problemOf(tx, change);
      if (problem !== undefined) throw new ResourceProblem('constraint', problem);
    },
    async requireMayDeploy(db, ownerId) {
      if ((await accountKind(db, ownerId)) !== 'anonymous') return;
      throw new ResourceProblem('constraint', ANONYMOUS_MESSAGE);
    },
    quotaOf: async (db, ownerId) =>
      quotaOf(await accountKind(db, ownerId), quota, await overrideOf(db, ownerId)),
  };
}

/** The processes in the Procfile of the newest release that served. Undefined: none did yet. */
async function procfileOf(db: Database, appId: string) {
  const [release] = await liveReleases(db, appId);
  return release && (release.detected.processes ?? {});
}

/**
 * Until the transaction ends, no other one can make the apps of this owner grow. A transaction that changes several apps
 * calls it before it locks a row, so that two of them cannot deadlock.
 */
export async function lockAppsOf(tx: Database, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apps of ${ownerId}`}, 0))`.execute(tx);
}

/**
 * What the apps of an owner use. An app that is hibernated or deleted counts as awake until it has stopped, and one with a new
 * size as the larger of both until the release with the old size does not serve any more. Instances count until they have left
 * the rotation. Otherwise an account could run more than its quota. A command that runs counts as one more awake app.
 * `exceptId`: an app that does not count.
 */
export async function countApps(
  db: Database,
  ownerId: string,
  tiers: TierTable,
  exceptId?: string,
): Promise<UsedApps> {
  const isHibernated = sql`app.values -> 'instances' is not distinct from '0'::jsonb`;
  const apps = appsOnEngine(db, ownerId)
    .select(['id', 'deleted', 'status', 'values', 'serving'])
    .where(sql<boolean>`id is distinct from ${exceptId ?? null}::uuid`);
  const { rows } = await sql<CountedRow>`
    select app.deleted, ${isHibernated} as "isHibernated",
      (app.deleted or (${isHibernated} and app.status = 'syncing')) as "isStopping",
      array[app.values ->> 'resourceTier', serving.made_of ->> 'resourceTier'] as tiers,
      greatest(
        case when jsonb_typeof(app.values -> 'replicas') = 'number' then (app.values -> 'replicas')::int end,
        jsonb_array_length(app.serving -> 'logNames'),
        1
      ) as replicas,
      app.values -> 'processes' as processes, app.serving -> 'processes' as running,
      case when serving.number is not null then coalesce(serving.detected -> 'processes', '{}') end as procfile
    from ${apps} as app
    left join deploy.releases as serving
      on serving.app_id = app.id and serving.number = (app.serving ->> 'release')::int
  `.execute(db);
  const commands = await activeCommands(db, ownerId)
    .innerJoin('deploy.releases as release', (join) =>
      join
        .onRef('release.app_id', '=', 'command.app_id')
        .onRef('release.number', '=', 'command.release'),
    )
    .select(sql<[string | null, null]>`array[release.made_of ->> 'resourceTier', null]`.as('tiers'))
    .execute();
  const awake = rows.filter(({ isStopping, isHibernated }) => isStopping || !isHibernated);
  return {
    apps: rows.filter(({ deleted }) => !deleted).length,
    ...totalOf([...awake, ...commands], tiers),
    stopping: totalOf(
      rows.filter(({ isStopping }) => isStopping),
      tiers,
    ),
  };
}

/** `tiers`: of its values, and of the release that serves, if one does. `replicas`: as many as it has or will have. */
type CountedRow = {
  deleted: boolean;
  isHibernated: boolean;
  isStopping: boolean;
  tiers: [string | null, string | null];
  replicas: number;
  /** Of its values, of what runs, and of the Procfile of the release that serves, if one does. */
  processes: unknown;
  running: unknown;
  procfile: unknown;
};

type Sized = Pick<CountedRow, 'tiers'> & Partial<CountedRow>;

function totalOf(rows: Sized[], table: TierTable): Capacity {
  return sumOf(rows.flatMap((row) => [webOf(row, table), ...othersOf(row, table)]));
}

function webOf({ tiers: [own, serving], replicas }: Sized, table: TierTable): Capacity {
  const amounts = [own, serving ?? own].map((tier) => capacityOf({ tier, replicas }, table));
  return largerOf(amounts);
}

/** Each other process as it will be or as it is, whichever needs more. */
function othersOf({ tiers: [own], processes, running, procfile }: Sized, table: TierTable) {
  const wanted = processesOf({ processes, resourceTier: own }, procfile);
  const present = decodeServingProcesses(running).map(({ logNames, ...process }) => ({
    ...process,
    replicas: logNames.length,
  }));
  const names = new Set([...wanted, ...present].map(({ name }) => name));
  return [...names].map((name) => {
    const same = [...wanted, ...present].filter((each) => each.name === name);
    return largerOf(same.map(ofProcess(table)));
  });
}

function largerOf(capacities: Capacity[]): Capacity {
  const max = (name: keyof Capacity) => Math.max(...capacities.map((each) => each[name]));
  return { memoryBytes: max('memoryBytes'), cpus: max('cpus') };
}
