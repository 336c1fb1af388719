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
import { accountsOf } from './request-accounts.ts';

type LimitDeps = Pick<AuthDeps, 'accessTokens' | 'clock' | 'settings'>;
type Counted = { key: string; limit: Limit };

/** Answers 429 to whoever asks too often. Nothing is believed but the socket's address. */
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
      const counts = await countedFor(context, abuse);
      for (const { key, limit } of counts) {
        const taken = buckets.take(key, limit);
        if (!taken.isAllowed) return tooMany(context, taken.retryAfterMs);
      }
      await next();
      if (triedNothing(context.error)) {
        for (const { key, limit } of counts) buckets.refund(key, limit);
      }
      return undefined;
    };
  }

  async function countedFor(context: Context, abuse: Abuse): Promise<Counted[]> {
    const { perAccount, perAddress, anywhere } = LIMITS[abuse];
    const address = addressKey(clientOf(context).address ?? 'in memory');
    const accounts = perAccount || anywhere ? await requestAccounts(context) : [];
    return [
      counted(perAddress, `${abuse} ${address}`),
      ...accounts.map((account) => counted(perAccount, `${abuse} ${address} ${account}`)),
      ...accounts.map((account) => counted(anywhere, `${abuse} anywhere ${account}`)),
    ].flat();
  }

  /** Whom the body names, and who asks: neither hides the other. */
  async function requestAccounts(context: Context): Promise<string[]> {
    const named = accountsOf(await context.req.text());
    const caller = await checkBearer(context.req.header('authorization'), accessTokens);
    return caller.kind === 'identified' ? [...named, caller.identified.userId] : named;
  }
}

function counted(limit: Limit | undefined, key: string): Counted[] {
  return limit === undefined ? [] : [{ key, limit }];
}

/** A request that could not be read is no try at anything, nor is one that we failed to answer. */
function triedNothing(error: Error | undefined): boolean {
  if (error === undefined) return false;
  return !(error instanceof Problem) || error.code === 'invalid-request';
}

function tooMany(context: Context, retryAfterMs: number): Response {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1_000);
  return context.json(authError('too-many-requests'), 429, {
    'retry-after': String(retryAfterSeconds),
  });
}
