import type { Context } from 'hono';
import { createBuckets } from '../../rate-limits/buckets.ts';
import type { Limit } from '../../rate-limits/token-bucket.ts';
import { AuthProblem } from '../auth-problem.ts';

/** Ten of a million codes each quarter of an hour: a thief of the password would try for months. */
const GUESSES: Limit = { capacity: 10, windowMs: 15 * 60_000 };

/**
 * Codes tried for one account, from wherever. Only who knows its password or has a session gets as far as that, so no
 * stranger can lock an account this way.
 */
export type CodeGuesses = {
  /** Counts a try before it is judged, so that simultaneous ones count as well. Refuses one too many. */
  count(context: Context, userId: string): void;
  /** The code was right. */
  forgive(userId: string): void;
};

export function createCodeGuesses(clock: { now(): number }): CodeGuesses {
  const buckets = createBuckets({ clock });
  return {
    count(context, userId) {
      const taken = buckets.take(userId, GUESSES);
      if (taken.isAllowed) return;
      context.header('retry-after', String(Math.ceil(taken.retryAfterMs / 1_000)));
      throw new AuthProblem('too-many-requests');
    },
    forgive: (userId) => buckets.refund(userId, GUESSES),
  };
}
