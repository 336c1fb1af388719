import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Claim } from './domain-rules.ts';
import type { DomainCheck, StoredAnswers } from './domain-status.ts';

export type ClaimedDomain = { domain: string; claims: Claim[]; check: DomainCheck };

/** What a check leads to. */
export type Settlement = {
  claims: Claim[];
  answers: StoredAnswers;
  nextCheckAt: number | undefined;
};

/** The claims of domains and what DNS answered. A trigger keeps the claims in line with the settings of apps. */
export type DomainStore = {
  /** The token of an account, made up at its first use. */
  tokenOf(ownerId: string): Promise<string>;
  /** The custom domains in the settings of an app, with all claims of each. */
  ofApp(appId: string): Promise<ClaimedDomain[]>;
  /**
   * Domains to be checked now, the longest due first, with the account that is routed or claimed last. `limit`: of one
   * account, so that one with many domains does not crowd out the others.
   */
  due(now: number, limit: number): Promise<{ domain: string; ownerId: string | undefined }[]>;
  /**
   * Settles the claims of a domain after a check that started at `startedAt`, unless a later one has done so. Returns the
   * apps that are routed now and were not before, or the other way round.
   */
  settle(
    domain: string,
    startedAt: number,
    decide: (claims: Claim[], hasSeveralAccounts: boolean) => Settlement,
  ): Promise<string[]>;
};

const NO_ANSWERS: StoredAnswers = { txt: undefined, cname: undefined, addresses: undefined };

type DomainStoreDeps = {
  db: Database;
  newToken(): string;
  /** Anonymous accounts count too: they can deploy. */
  hasSeveralAccounts(db: Database): Promise<boolean>;
};

export function createDomainStore({
  db,
  newToken,
  hasSeveralAccounts,
}: DomainStoreDeps): DomainStore {
  return {
    async tokenOf(ownerId) {
      const tokens = db.selectFrom('deploy.domain_tokens').select('token');
      const existing = tokens.where('user_id', '=', ownerId);
      const stored = await existing.executeTakeFirst();
      if (stored !== undefined) return stored.token;
      await db
        .insertInto('deploy.domain_tokens')
        .values({ user_id: ownerId, token: newToken() })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute();
      return (await existing.executeTakeFirstOrThrow()).token;
    },
    async ofApp(appId) {
      const rows = await claimRows(db)
        .leftJoin('deploy.domain_checks as check', 'check.domain', 'claim.domain')
        .select(['claim.domain', 'check.checked_at', 'check.answers'])
        .where('claim.domain', 'in', (query) =>
          query.selectFrom('deploy.domain_claims').select('domain').where('app_id', '=', appId),
        )
        .execute();
      const byDomain = Map.groupBy(rows, ({ domain }) => domain);
      return [...byDomain].map(([domain, claims]) => ({
        domain,
        claims: claims.map(toClaim),
        check: {
          checkedAt: claims[0]?.checked_at?.getTime(),
          answers: (claims[0]?.answers as StoredAnswers | null) ?? NO_ANSWERS,
        },
      }));
    },
    async due(now, limit) {
      const { rows } = await sql<{ domain: string; user_id: string | null }>`
        select domain, user_id from (
          select due.domain, claimant.user_id, due.next_check_at,
            row_number() over (partition by claimant.user_id order by due.next_check_at) as position
          from deploy.domain_checks as due
          left join lateral (
            select claim.user_id from deploy.domain_claims as claim
            where claim.domain = due.domain
            order by claim.is_routed desc, claim.claimed_at desc limit 1
          ) as claimant on true
          where due.next_check_at <= ${new Date(now)}
        ) as due
        where position <= ${limit}
        order by next_check_at`.execute(db);
      return rows.map(({ domain, user_id }) => ({ domain, ownerId: user_id ?? undefined }));
    },
    settle: (domain, startedAt, decide) =>
      db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${domain}, 0))`.execute(tx);
        // In the order of the trigger: claims, then the check.
        const rows = await claimRows(tx)
          .where('claim.domain', '=', domain)
          .orderBy('claim.app_id')
          .forUpdate('claim')
          .execute();
        const checks = tx.selectFrom('deploy.domain_checks').select('checked_at');
        const check = await checks.where('domain', '=', domain).forUpdate().executeTakeFirst();
        if ((check?.checked_at?.getTime() ?? 0) > startedAt) return [];
        if (rows.length === 0) {
          await tx.deleteFrom('deploy.domain_checks').where('domain', '=', domain).execute();
          return [];
        }
        const before = rows.map(toClaim);
        const settlement = decide(before, await hasSeveralAccounts(tx));
        await storeClaims(tx, domain, settlement.claims);
        await storeCheck(tx, domain, { ...settlement, startedAt });
        return settlement.claims
          .filter(({ isRouted }, index) => isRouted !== before[index]?.isRouted)
          .map(({ appId }) => appId);
      }),
  };
}

function claimRows(db: Database) {
  return db
    .selectFrom('deploy.domain_claims as claim')
    .leftJoin('deploy.domain_tokens as token', 'token.user_id', 'claim.user_id')
    .select([
      'claim.app_id',
      'claim.user_id',
      'claim.claimed_at',
      'claim.proof',
      'claim.proved_since',
      'claim.proved_at',
      'claim.missing_since',
      'claim.routed_until',
      'claim.is_routed',
      'token.token',
    ]);
}

type ClaimRow = Awaited<ReturnType<ReturnType<typeof claimRows>['execute']>>[number];

function toClaim(row: ClaimRow): Claim {
  return {
    appId: row.app_id,
    ownerId: row.user_id,
    token: row.token ?? undefined,
    claimedAt: row.claimed_at.getTime(),
    proof: row.proof ?? undefined,
    provedSince: row.proved_since?.getTime(),
    provedAt: row.proved_at?.getTime(),
    missingSince: row.missing_since?.getTime(),
    routedUntil: row.routed_until?.getTime(),
    isRouted: row.is_routed,
  };
}

/** The one that is no longer routed first: the database allows one per domain. */
async function storeClaims(tx: Database, domain: string, claims: Claim[]): Promise<void> {
  for (const claim of claims.toSorted(
    (one, other) => Number(one.isRouted) - Number(other.isRouted),
  )) {
    await tx
      .updateTable('deploy.domain_claims')
      .set({
        claimed_at: new Date(claim.claimedAt),
        proof: claim.proof ?? null,
        proved_since: timestamp(claim.provedSince),
        proved_at: timestamp(claim.provedAt),
        missing_since: timestamp(claim.missingSince),
        routed_until: timestamp(claim.routedUntil),
        is_routed: claim.isRouted,
      })
      .where('domain', '=', domain)
      .where('app_id', '=', claim.appId)
      .execute();
  }
}

async function storeCheck(
  tx: Database,
  domain: string,
  { startedAt, answers, nextCheckAt }: Omit<Settlement, 'claims'> & { startedAt: number },
): Promise<void> {
  const check = {
    checked_at: new Date(startedAt),
    answers: JSON.stringify(answers),
    next_check_at: timestamp(nextCheckAt),
  };
  await tx
    .insertInto('deploy.domain_checks')
    .values({ domain, ...check })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(check))
    .execute();
}

function timestamp(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}
