import type { AccountUsage } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';

export type UsageServiceDeps = {
  session(request: Request): Promise<{ userId: string } | undefined>;
  usageOf(userId: string, signal: AbortSignal): Promise<AccountUsage>;
};

/** `GET /`: what the caller's account uses, and its limits. */
export function createUsageService({ session, usageOf }: UsageServiceDeps): Hono {
  const service = new Hono();
  service.get('/', async (context) => {
    const caller = await session(context.req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    return context.json(await usageOf(caller.userId, context.req.raw.signal));
  });
  return service;
}
