import { AUTH_PATHS, authError } from '@longshore/contract';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { clientOf } from '../../http/client.ts';
import { Problem } from '../../http/problem.ts';
import { addressKey } from '../../rate-limits/address-key.ts';
import { createBuckets } from '../../rate-limits/buckets.ts';
import type { Limit } from '../../rate-limits/token-bucket.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { ABUSE_OF, type Abuse, LIMITS } from './limits.ts';
import { accountsInBody } from './request-accounts.ts';

type LimitDeps = Pick<AuthDeps, 'accessTokens' | 'clock' | 'settings'>;
type Counter = { key: string; limit: Limit };

/** Responds with 429 above the limits. Clients are identified by the socket's address, not by headers. */
export function limitRequests({ accessTokens, clock, settings }: LimitDeps): Hono {
  const limits = new Hono();
  if (!settings.rateLimits) return limits;
  const buckets = createBuckets({ clock });
  for (const [name, path] of Object.entries(AUTH_PATHS)) {
    limits.use(path, limited(ABUSE_OF[name as keyof typeof AUTH_PATHS]));
  }
  return limits;

  function limited(abuse: Abuse): MiddlewareHandler {
    return async (context, next) => {
      const counters = await countersFor(context, abuse);
      for (const { key, limit } of counters) {
        const taken = buckets.take(key, limit);
        if (!taken.isAllowed) return tooManyRequests(context, taken.retryAfterMs);
      }
      await next();
      if (shouldRefund(context.error)) {
        for (const { key, limit } of counters) buckets.refund(key, limit);
      }
      return undefined;
    };
  }

  async function countersFor(context: Context, abuse: Abuse): Promise<Counter[]> {
    const { perAccount, perAddress, perAccountGlobally } = LIMITS[abuse];
    const address = addressKey(clientOf(context).address ?? 'in memory');
    const accounts = perAccount || perAccountGlobally ? await requestAccounts(context) : [];
    return [
      counter(perAddress, `${abuse} ${address}`),
      ...accounts.map((account) => counter(perAccount, `${abuse} ${address} ${account}`)),
      ...accounts.map((account) => counter(perAccountGlobally, `${abuse} anywhere ${account}`)),
    ].flat();
  }

  /** The accounts in the body and the caller's own. Both count, so that neither limit can be bypassed. */
  async function requestAccounts(context: Context): Promise<string[]> {
    const accounts = accountsInBody(await context.req.text());
    const caller = await checkBearer(context.req.header('authorization'), accessTokens);
    return caller.kind === 'identified' ? [...accounts, caller.identified.userId] : accounts;
  }
}

function counter(limit: Limit | undefined, key: string): Counter[] {
  return limit === undefined ? [] : [{ key, limit }];
}

/** Invalid requests and server errors do not count as attempts. */
function shouldRefund(error: Error | undefined): boolean {
  if (error === undefined) return false;
  return !(error instanceof Problem) || error.code === 'invalid-request';
}

function tooManyRequests(context: Context, retryAfterMs: number): Response {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1_000);
  return context.json(authError('too-many-requests'), 429, {
    'retry-after': String(retryAfterSeconds),
  });
}
