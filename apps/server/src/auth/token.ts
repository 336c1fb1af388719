import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';

/** Anything may come: what is no token of ours answers 401, which alone makes the clients sign out. */
const Body = z.object({ refreshToken: z.unknown().optional() });

/** POST /token. The session comes bare, not wrapped. */
export async function token(
  context: Context,
  { users, sessions, refreshTokens }: AuthDeps,
): Promise<Response> {
  const { refreshToken } = await jsonBody(context, Body);
  if (typeof refreshToken !== 'string') throw new AuthProblem('invalid-refresh-token');
  const rotated = await refreshTokens.rotate(refreshToken);
  const user = rotated && (await users.findById(rotated.userId));
  if (rotated === undefined || user === undefined) throw new AuthProblem('invalid-refresh-token');
  if (user.disabled) throw new AuthProblem('disabled-user');
  return context.json(await sessions.continue(user, rotated));
}
