import type { Context } from 'hono';
import { createBuckets } from '../../rate-limits/buckets.ts';
import type { Limit } from '../../rate-limits/token-bucket.ts';
import { AuthProblem } from '../auth-problem.ts';

/** Ten of a million codes in 15 minutes: an attacker who knows the password would need months. */
const LIMIT: Limit = { capacity: 10, windowMs: 15 * 60_000 };

/**
 * Limits the TOTP and recovery codes tried for one account from all addresses. Only callers with the password or a session
 * reach this check, so other callers cannot lock an account.
 */
export type CodeAttempts = {
  /** Counts an attempt before it is checked, so that simultaneous ones count as well. Throws above the limit. */
  count(context: Context, userId: string): void;
  /** Takes back an attempt whose code was valid. */
  refund(userId: string): void;
};

export function createCodeAttempts(clock: { now(): number }): CodeAttempts {
  const buckets = createBuckets({ clock });
  return {
    count(context, userId) {
      const taken = buckets.take(userId, LIMIT);
      if (taken.isAllowed) return;
      context.header('retry-after', String(Math.ceil(taken.retryAfterMs / 1_000)));
      throw new AuthProblem('too-many-requests');
    },
    refund: (userId) => buckets.refund(userId, LIMIT),
  };
}
