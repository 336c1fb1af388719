import type { Context } from 'hono';
import type { OpenBuckets } from '../../rate-limits/buckets.ts';
import type { Limit } from '../../rate-limits/token-bucket.ts';
import { AuthProblem } from '../auth-problem.ts';

/** Ten of a million codes in 15 minutes: an attacker with the first factor would need months. */
const LIMIT: Limit = { capacity: 10, windowMs: 15 * 60_000 };

/**
 * Limits the TOTP codes, recovery codes and proofs of identity tried for one user at sign-in, or in one session, from
 * all addresses. Only callers with a first factor or the session reach this check, so other callers cannot lock it.
 */
export type CodeAttempts = {
  /** Counts an attempt before it is checked, so that simultaneous ones count as well. Throws above the limit. */
  count(context: Context, countedFor: string): Promise<void>;
  /** Takes back an attempt whose code was valid. */
  refund(countedFor: string): Promise<void>;
};

export function createCodeAttempts(openBuckets: OpenBuckets): CodeAttempts {
  const buckets = openBuckets('code attempts');
  return {
    async count(context, countedFor) {
      const taken = await buckets.take(countedFor, LIMIT);
      if (taken.isAllowed) return;
      context.header('retry-after', String(Math.ceil(taken.retryAfterMs / 1_000)));
      throw new AuthProblem('too-many-requests');
    },
    refund: async (countedFor) => await buckets.refund(countedFor, LIMIT),
  };
}
