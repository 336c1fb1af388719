import type { Context } from 'hono';
import { z } from 'zod';
import { clientOf } from '../http/client.ts';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { checkBearer } from './check-bearer.ts';
import type { AuthDeps } from './deps.ts';
import { assertCanSignIn } from './sign-in-problem.ts';

/** Accepts any value, because an invalid token must result in a 401: clients sign out only after a 401. */
const RefreshBody = z.object({ refreshToken: z.unknown().optional() });

/** POST /token. The response is the session itself, without a wrapper. */
export async function refreshSession(
  context: Context,
  { sessions, refreshTokens, settings, audit }: AuthDeps,
): Promise<Response> {
  const { refreshToken } = await jsonBody(context, RefreshBody);
  if (typeof refreshToken !== 'string') throw new AuthProblem('invalid-refresh-token');
  const rotation = await refreshTokens.rotate(refreshToken, clientOf(context));
  if (rotation.kind === 'reused') {
    const { userId, sessionId } = rotation;
    await audit(context, { kind: 'refresh-token-reused', userId, details: { sessionId } });
  }
  if (rotation.kind !== 'rotated') throw new AuthProblem('invalid-refresh-token');
  assertCanSignIn(rotation.user, settings);
  return context.json(sessions.continue(rotation.user, rotation.refreshToken));
}

const VerifyBody = z.object({ token: z.string().nullish() });

/** POST /token/verify: checks the access token in the body, or else the bearer token, and its session. */
export async function verifyToken(
  context: Context,
  { accessTokens, users }: AuthDeps,
): Promise<Response> {
  const { token } = await jsonBody(context, VerifyBody);
  const authorization = token ? `Bearer ${token}` : context.req.header('authorization');
  const caller = await checkBearer(authorization, accessTokens);
  const current = caller.kind === 'identified' && (await users.findBySession(caller.identified));
  if (!current || current.user.disabled) throw new AuthProblem('invalid-request');
  return context.json('OK');
}
