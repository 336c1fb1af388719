import type { Context } from 'hono';
import { Problem } from '../http/problem.ts';

/** The user of the request's access token. */
export type SessionOf = (request: Request) => Promise<{ userId: string } | undefined>;

/** Returns the caller's user id. */
export async function requireCaller(context: Context, session: SessionOf): Promise<string> {
  const caller = await session(context.req.raw);
  if (caller === undefined) {
    throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
  }
  return caller.userId;
}
