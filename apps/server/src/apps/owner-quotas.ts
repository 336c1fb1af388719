import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { ResourceProblem } from '../db/resources.ts';
import { appsOnEngine } from './apps.ts';
import {
  type AccountKind,
  ANONYMOUS_MESSAGE,
  type CountedApp,
  growthOf,
  isAwake,
  NO_OVERRIDE,
  type Quota,
  type QuotaOverride,
  quotaOf,
  quotaProblem,
  type UsedApps,
} from './quota.ts';

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
  accountKind(db: Database, userId: string): Promise<AccountKind>;
  /** What an operator has set for the user. Default: nothing. */
  overrideOf?(db: Database, userId: string): Promise<QuotaOverride>;
};

export function createOwnerQuotas({
  quota,
  accountKind,
  overrideOf = async () => NO_OVERRIDE,
}: OwnerQuotasOptions): OwnerQuotas {
  async function problemOf(
    tx: Database,
    { appId, ownerId, before, after }: CountedChange,
  ): Promise<string | undefined> {
    const growth = growthOf(before, after);
    // Deleting and hibernating are always possible.
    if (growth.apps === 0 && !isAwake(after)) return undefined;
    const account = await accountKind(tx, ownerId);
    if (account === 'anonymous') return ANONYMOUS_MESSAGE;
    if (account === 'operator' || (growth.apps === 0 && growth.awake === 0)) return undefined;
    await lockAppsOf(tx, ownerId);
    const limits = quotaOf(account, quota, await overrideOf(tx, ownerId));
    return quotaProblem(await countApps(tx, ownerId, appId), growth, limits);
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

/**
 * Until the transaction ends, no other one can make the apps of this owner grow. A transaction that changes several apps
 * calls it before it locks a row, so that two of them cannot deadlock.
 */
export async function lockAppsOf(tx: Database, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apps of ${ownerId}`}, 0))`.execute(tx);
}

/**
 * An app that is hibernated or deleted counts as awake until it has stopped. Otherwise an account could run more than its quota
 * by waking apps while others stop. `exceptId`: an app that does not count.
 */
export async function countApps(
  db: Database,
  ownerId: string,
  exceptId?: string,
): Promise<UsedApps> {
  const isHibernated = sql`values -> 'instances' is not distinct from '0'::jsonb`;
  const isStopping = sql`(deleted or (${isHibernated} and status = 'syncing'))`;
  return await appsOnEngine(db, ownerId)
    .select([
      sql<number>`(count(*) filter (where not deleted))::int`.as('apps'),
      sql<number>`(count(*) filter (where ${isStopping} or not (${isHibernated})))::int`.as(
        'awake',
      ),
      sql<number>`(count(*) filter (where ${isStopping}))::int`.as('stopping'),
    ])
    .where(sql<boolean>`id is distinct from ${exceptId ?? null}::uuid`)
    .executeTakeFirstOrThrow();
}
