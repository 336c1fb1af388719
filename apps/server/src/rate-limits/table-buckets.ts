import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { OpenBuckets } from './buckets.ts';
import { type Limit, refusal } from './token-bucket.ts';

type TableDeps = {
  db: Database;
  logError: (error: unknown) => void;
  /** Replaces the clock of Postgres, which all servers share. */
  clock?: { now(): number };
  limits?: Partial<typeof LIMITS>;
};

/** Per server. `maxBuckets` is checked at this interval. */
const LIMITS = { removeEveryMs: 10_000, removeAtOnce: 20_000, maxBuckets: 50_000 };

/**
 * Token buckets in Postgres, for several servers. One statement takes a token by the rule of `takeToken`; a test compares both.
 * Above the maximum, those are dropped that would be full first. Keys are hashed: they contain addresses of users.
 */
export function createTableBuckets({ db, logError, clock, ...deps }: TableDeps): OpenBuckets {
  const limits = { ...LIMITS, ...deps.limits };
  let nextRemoval = performance.now() + limits.removeEveryMs;
  let isRemoving = false;
  const nowMs = () =>
    clock === undefined
      ? sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`
      : sql<number>`${clock.now()}::float8`;

  return (scope) => ({
    async take(key, limit) {
      removeWhenDue();
      const capacity = sql`${limit.capacity}::float8`;
      const { rows } = await sql<{ tokens: number; is_allowed: boolean }>`
        insert into deploy.rate_limits as bucket (key_hash, tokens, counted_at, is_allowed, full_at)
        select ${hashOf(scope, key)}, ${capacity} - 1, ms, true, ${fullAt(limit, sql`${capacity} - 1`)}
        from (select ${nowMs()} as ms) as now
        on conflict (key_hash) do update set (tokens, counted_at, is_allowed, full_at) = (
          select tokens_left, ms, is_enough, ${fullAt(limit, sql`tokens_left`)}
          from (
            select ms, refilled >= 1 as is_enough,
              case when refilled >= 1 then refilled - 1 else refilled end as tokens_left
            from (select ms, ${refilled(limit)} as refilled from (select ${nowMs()} as ms) as now) as current
          ) as taken
        )
        returning tokens, is_allowed
      `.execute(db);
      const [taken] = rows;
      if (taken === undefined) throw new Error('Postgres returned no bucket');
      return taken.is_allowed ? { isAllowed: true } : refusal(taken.tokens, limit);
    },
    async refund(key, limit) {
      const refund = sql`
        update deploy.rate_limits as bucket set (tokens, counted_at, full_at) = (
          select tokens_left, ms, ${fullAt(limit, sql`tokens_left`)}
          from (
            select ms, least(${limit.capacity}::float8, ${refilled(limit)} + 1) as tokens_left
            from (select ${nowMs()} as ms) as now
          ) as refunded
        )
        where key_hash = ${hashOf(scope, key)}
      `;
      await refund.execute(db).catch(logError);
    },
  });

  /** No request waits for it: after a flood of requests it takes long, and may fail. */
  function removeWhenDue(): void {
    if (isRemoving || performance.now() < nextRemoval) return;
    isRemoving = true;
    void removeOld()
      .catch(logError)
      .finally(() => {
        isRemoving = false;
        nextRemoval = performance.now() + limits.removeEveryMs;
      });
  }

  async function removeOld(): Promise<void> {
    for (const removed of [
      sql`where full_at <= ${nowMs()} limit ${limits.removeAtOnce}`,
      sql`order by full_at desc offset ${limits.maxBuckets} limit ${limits.removeAtOnce}`,
    ]) {
      await sql`
        delete from deploy.rate_limits where key_hash in (
          select key_hash from deploy.rate_limits ${removed} for update skip locked
        )
      `.execute(db);
    }
  }
}

/** A clock that was set back neither adds nor removes tokens. */
function refilled({ capacity, windowMs }: Limit) {
  return sql`least(
    ${capacity}::float8,
    bucket.tokens + (greatest(0, ms - bucket.counted_at) * ${capacity}::float8) / ${windowMs}::float8
  )`;
}

function fullAt({ capacity, windowMs }: Limit, tokens: ReturnType<typeof sql>) {
  return sql`ms + (${capacity}::float8 - (${tokens})) * ${windowMs}::float8 / ${capacity}::float8`;
}

function hashOf(scope: string, key: string): string {
  return hash('sha256', JSON.stringify([scope, key]), 'base64url');
}
