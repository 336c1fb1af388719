import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { existingResources, ResourceProblem } from '../db/resources.ts';
import {
  type AccountKind,
  ANONYMOUS_MESSAGE,
  type AppCounts,
  type CountedApp,
  growthOf,
  isAwake,
  type Quota,
  quotaOf,
  quotaProblem,
} from './quota.ts';

/** `before` is undefined for a new app. */
export type CountedChange = {
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
};

export function createOwnerQuotas({ quota, accountKind }: OwnerQuotasOptions): OwnerQuotas {
  async function problemOf(
    tx: Database,
    { ownerId, before, after }: CountedChange,
  ): Promise<string | undefined> {
    const growth = growthOf(before, after);
    // Deleting and hibernating are always possible.
    if (growth.apps === 0 && !isAwake(after)) return undefined;
    const account = await accountKind(tx, ownerId);
    if (account === 'anonymous') return ANONYMOUS_MESSAGE;
    if (account === 'operator' || (growth.apps === 0 && growth.awake === 0)) return undefined;
    await lockAppsOf(tx, ownerId);
    return quotaProblem(await countApps(tx, ownerId), growth, quota);
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
    quotaOf: async (db, ownerId) => quotaOf(await accountKind(db, ownerId), quota),
  };
}

/**
 * Until the transaction ends, no other one can make the apps of this owner grow. A transaction that changes several apps
 * calls it before it locks a row, so that two of them cannot deadlock.
 */
export async function lockAppsOf(tx: Database, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apps of ${ownerId}`}, 0))`.execute(tx);
}

export async function countApps(db: Database, ownerId: string): Promise<AppCounts> {
  const { apps, awake } = await existingResources(db, 'app')
    .select([
      sql<number>`count(*)::int`.as('apps'),
      sql<number>`(count(*) filter (where values -> 'instances' is distinct from '0'::jsonb))::int`.as(
        'awake',
      ),
    ])
    .where('user_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return { apps, awake };
}
