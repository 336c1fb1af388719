import { CONNECT_PATHS } from '@longshore/contract';
import { Hono, type MiddlewareHandler } from 'hono';
import { Problem } from '../http/problem.ts';
import type { Buckets } from '../rate-limits/buckets.ts';
import type { Limit } from '../rate-limits/token-bucket.ts';
import type { ConnectDeps } from './deps.ts';

type LimitDeps = Pick<ConnectDeps, 'session' | 'openBuckets' | 'settings'>;

const FIVE_MINUTES_MS = 5 * 60_000;
const PER_USER: Limit = { capacity: 20, windowMs: FIVE_MINUTES_MS };
/** Per hook and not per address: a provider sends deliveries for many users from one address. */
const PER_HOOK: Limit = { capacity: 300, windowMs: FIVE_MINUTES_MS };
/** Each call may build the app. The whole URL is counted: without its secret, nobody can use up the calls of a hook. */
const PER_DEPLOY_HOOK: Limit = { capacity: 10, windowMs: FIVE_MINUTES_MS };
const HOOK_ID = /^[0-9a-f-]{36}$/;
const DEPLOY_HOOK_KEY = /^[\w-]{43}$/;

/** Endpoints that check credentials at a provider, and so could be used to guess passwords. */
const CREDENTIAL_CHECKS = [
  'connectDockerHub',
  'connectRegistry',
  'connectToken',
  'oauthTickets',
] as const;

/** Responds with 429 to too many attempts: the provider would see password guesses as coming from this server. */
export function createRateLimits({ session, settings, openBuckets }: LimitDeps): Hono {
  const limits = new Hono();
  if (!settings.rateLimits) return limits;
  const buckets = openBuckets('connect');
  // Separate, because requests with many hook ids evict older buckets. That must not reset the limits above.
  const hookBuckets = openBuckets('webhooks');
  for (const check of CREDENTIAL_CHECKS) limits.use(CONNECT_PATHS[check], limitAttempts());
  limits.use(CONNECT_PATHS.hook, async (context, next) => {
    const hookId = (context.req.param('hookId') ?? '').toLowerCase();
    await takeOrThrow(hookBuckets, HOOK_ID.test(hookId) ? hookId : 'invalid hook id', PER_HOOK);
    await next();
  });
  const deployHookBuckets = openBuckets('deploy hooks');
  limits.post(CONNECT_PATHS.callDeployHook, async (context, next) => {
    const appId = (context.req.param('appId') ?? '').toLowerCase();
    const key = context.req.query('key') ?? '';
    const isValid = HOOK_ID.test(appId) && DEPLOY_HOOK_KEY.test(key);
    await takeOrThrow(deployHookBuckets, isValid ? `${appId} ${key}` : 'invalid', PER_DEPLOY_HOOK);
    await next();
  });
  return limits;

  /** Callers who are not signed in are refused by the endpoints, and never use up the attempts of others. */
  function limitAttempts(): MiddlewareHandler {
    return async (context, next) => {
      const caller = await session(context.req.raw);
      if (caller !== undefined) await takeOrThrow(buckets, `user ${caller.userId}`, PER_USER);
      await next();
    };
  }
}

async function takeOrThrow(buckets: Buckets, key: string, limit: Limit): Promise<void> {
  const result = await buckets.take(key, limit);
  if (!result.isAllowed) throw tooManyAttempts(result.retryAfterMs);
}

function tooManyAttempts(retryAfterMs: number): Problem {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `Too many attempts. Please try again in ${seconds} seconds.`;
  return new Problem(429, 'too-many-requests', message, {
    headers: { 'retry-after': String(seconds) },
  });
}
