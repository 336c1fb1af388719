import type { Context } from 'hono';
import { Problem } from '../http/problem.ts';

/** Who asks, by the bearer; handed in by `server.ts`. */
export type SessionOf = (request: Request) => Promise<{ userId: string } | undefined>;

export async function callerOf(context: Context, session: SessionOf): Promise<string> {
  const caller = await session(context.req.raw);
  if (caller === undefined) {
    throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
  }
  return caller.userId;
}
