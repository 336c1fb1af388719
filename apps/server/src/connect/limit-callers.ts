import { CONNECT_PATHS } from '@longshore/contract';
import { Hono, type MiddlewareHandler } from 'hono';
import { clientOf } from '../http/client.ts';
import { Problem } from '../http/problem.ts';
import { addressKey } from '../rate-limits/address-key.ts';
import { type Buckets, createBuckets } from '../rate-limits/buckets.ts';
import type { Limit } from '../rate-limits/token-bucket.ts';
import type { ConnectDeps } from './deps.ts';

type LimitDeps = Pick<ConnectDeps, 'session' | 'clock' | 'settings'> & { maxBuckets?: number };

const FIVE_MINUTES_MS = 5 * 60_000;
const PER_USER: Limit = { capacity: 20, windowMs: FIVE_MINUTES_MS };
/** Far more: an office is one address. */
const PER_ADDRESS: Limit = { capacity: 300, windowMs: FIVE_MINUTES_MS };
/** Whoever signs them: more than these say nothing new. A provider has one address for many. */
const PER_HOOK: Limit = { capacity: 300, windowMs: FIVE_MINUTES_MS };
const HOOK_ID = /^[0-9a-f-]{36}$/;

/** Whoever could find out by them whether a password somewhere else is right. */
const CHECKS = ['connectDockerHub', 'connectRegistry', 'connectToken', 'oauthTickets'] as const;

/** Answers 429 to whoever tries credentials too often: the guesses would be ours in the eyes of the provider. */
export function limitCallers({ session, settings, ...options }: LimitDeps): Hono {
  const limits = new Hono();
  if (!settings.rateLimits) return limits;
  const buckets = createBuckets(options);
  // Apart: anybody can ask for as many hooks as there are buckets, and no guess may be forgotten by that.
  const hookBuckets = createBuckets(options);
  for (const check of CHECKS) limits.use(CONNECT_PATHS[check], limited());
  limits.use(CONNECT_PATHS.hook, async (context, next) => {
    const hookId = (context.req.param('hookId') ?? '').toLowerCase();
    refuseTooMany(hookBuckets, HOOK_ID.test(hookId) ? hookId : 'no hook', PER_HOOK);
    await next();
  });
  return limits;

  function limited(): MiddlewareHandler {
    return async (context, next) => {
      const caller = await session(context.req.raw);
      const address = addressKey(clientOf(context).address ?? 'in memory');
      const counts: [string, Limit][] = [
        [`address ${address}`, PER_ADDRESS],
        ...(caller ? [[`user ${caller.userId}`, PER_USER] as [string, Limit]] : []),
      ];
      for (const [key, limit] of counts) refuseTooMany(buckets, key, limit);
      await next();
    };
  }
}

function refuseTooMany(buckets: Buckets, key: string, limit: Limit): void {
  const taken = buckets.take(key, limit);
  if (!taken.isAllowed) throw tooMany(taken.retryAfterMs);
}

function tooMany(retryAfterMs: number): Problem {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `Too many attempts. Please try again in ${seconds} seconds.`;
  return new Problem(429, 'too-many-requests', message, {
    headers: { 'retry-after': String(seconds) },
  });
}
