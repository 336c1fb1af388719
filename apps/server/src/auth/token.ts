import type { Context } from 'hono';
import { z } from 'zod';
import { clientOf } from '../http/client.ts';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';
import { assertCanSignIn } from './sign-in-problem.ts';

/** Anything may come: what is no token of ours answers 401, which alone makes the clients sign out. */
const Body = z.object({ refreshToken: z.unknown().optional() });

/** POST /token. The session comes bare, not wrapped. */
export async function token(
  context: Context,
  { sessions, refreshTokens, settings, audit }: AuthDeps,
): Promise<Response> {
  const { refreshToken } = await jsonBody(context, Body);
  if (typeof refreshToken !== 'string') throw new AuthProblem('invalid-refresh-token');
  const rotation = await refreshTokens.rotate(refreshToken, clientOf(context));
  if (rotation.kind === 'reused') {
    const { userId, sessionId } = rotation;
    await audit(context, { kind: 'refresh-token-reused', userId, details: { sessionId } });
  }
  if (rotation.kind !== 'rotated') throw new AuthProblem('invalid-refresh-token');
  assertCanSignIn(rotation.user, settings);
  return context.json(await sessions.continue(rotation.user, rotation.refreshToken));
}
