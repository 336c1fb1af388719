import { AUTH_PATHS, authError } from '@longshore/contract';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Release } from '../../concurrency/semaphore.ts';
import { clientOf } from '../../http/client.ts';
import { Problem } from '../../http/problem.ts';
import { addressKey } from '../../rate-limits/address-key.ts';
import { createWaitingLines } from '../../rate-limits/waiting-lines.ts';
import { checkBearer } from '../check-bearer.ts';
import type { AuthDeps } from '../deps.ts';
import { ABUSE_OF, RULES, type Rule } from './limits.ts';
import { accountsInBody } from './request-accounts.ts';

type LimitDeps = Pick<AuthDeps, 'accessTokens' | 'openBuckets' | 'settings'>;
type PathName = keyof typeof AUTH_PATHS;
type Counter = { key: string; rule: Rule };
type Outcome = 'success' | 'failure' | 'invalid';

const QUEUE_FULL_RETRY_MS = 1_000;

/**
 * Responds with 429 above the limits, or serves one request at a time. Each request counts before it is served, so that
 * simultaneous ones count as well; afterwards, the counters that do not count its outcome are corrected.
 */
export function limitRequests({ accessTokens, openBuckets, settings }: LimitDeps): Hono {
  const limits = new Hono();
  if (!settings.rateLimits) return limits;
  const buckets = openBuckets('auth');
  const lines = createWaitingLines();
  for (const [name, path] of Object.entries(AUTH_PATHS)) {
    const rules = RULES[ABUSE_OF[name as PathName]];
    if (rules.length > 0) limits.use(path, limited(name as PathName, rules));
  }
  return limits;

  function limited(name: PathName, rules: readonly Rule[]): MiddlewareHandler {
    return async (context, next) => {
      const counters = await countersFor(context, name, rules);
      const counted: Counter[] = [];
      let waitsAs: string | undefined;
      for (const { key, rule } of counters) {
        const taken = await buckets.take(key, rule);
        if (taken.isAllowed) counted.push({ key, rule });
        else if (rule.above === 'wait') waitsAs = key;
        else {
          await refund(counted);
          return tooManyRequests(context, taken.retryAfterMs);
        }
      }
      const release = await turn(context, waitsAs);
      if (release === undefined) return tooManyRequests(context, QUEUE_FULL_RETRY_MS);
      try {
        await next();
      } finally {
        release();
      }
      const outcome = outcomeOf(context.error);
      await refund(counted.filter(({ rule }) => !isCounted(rule, outcome)));
      return undefined;
    };
  }

  async function refund(counters: Counter[]): Promise<void> {
    for (const { key, rule } of counters) await buckets.refund(key, rule);
  }

  async function turn(context: Context, waitsAs: string | undefined): Promise<Release | undefined> {
    if (waitsAs === undefined) return () => {};
    return await lines.enter(waitsAs, context.req.raw.signal);
  }

  async function countersFor(
    context: Context,
    name: PathName,
    rules: readonly Rule[],
  ): Promise<Counter[]> {
    const address = addressKey(clientOf(context).address ?? 'in memory');
    const caller = await checkBearer(context.req.header('authorization'), accessTokens);
    const user = caller.kind === 'identified' ? [caller.identified.userId] : [];
    // The accounts in the body and the caller's own: both count, so that neither limit can be bypassed.
    const accounts = rules.some(({ per }) => per.startsWith('account'))
      ? [...accountsInBody(await context.req.text()), ...user]
      : [];
    const keys: Record<Rule['per'], string[]> = {
      client: [user[0] ?? address],
      address: [address],
      account: accounts.map((account) => `${address} ${account}`),
      'account-anywhere': accounts.map((account) => `anywhere ${account}`),
    };
    return rules.flatMap((rule) => {
      // Wrong passwords do not use up the attempts with codes; messages of all kinds count together.
      const scope = rule.counts === 'failures' ? name : ABUSE_OF[name];
      return keys[rule.per].map((key) => ({ key: `${rule.counts} ${scope} ${key}`, rule }));
    });
  }
}

function outcomeOf(error: Error | undefined): Outcome {
  if (error === undefined) return 'success';
  return error instanceof Problem && error.code !== 'invalid-request' ? 'failure' : 'invalid';
}

/** Invalid requests and server errors do not count as attempts. */
function isCounted({ counts }: Rule, outcome: Outcome): boolean {
  if (outcome === 'invalid') return false;
  if (counts === 'requests') return true;
  return counts === (outcome === 'success' ? 'successes' : 'failures');
}

function tooManyRequests(context: Context, retryAfterMs: number): Response {
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1_000);
  return context.json(authError('too-many-requests'), 429, {
    'retry-after': String(retryAfterSeconds),
  });
}
