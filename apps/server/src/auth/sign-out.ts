import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { checkBearer } from './check-bearer.ts';
import type { AuthDeps } from './deps.ts';

const Body = z.object({ refreshToken: z.string().nullish(), all: z.boolean().nullish() });

/** POST /signout. Ends one session by its refresh token, or all sessions of a caller with a valid bearer token. */
export async function signOut(
  context: Context,
  { accessTokens, refreshTokens, exchangeCodes, personalAccessTokens, audit }: AuthDeps,
): Promise<Response> {
  const { refreshToken, all } = await jsonBody(context, Body);
  if (all) {
    const caller = await checkBearer(context.req.header('authorization'), accessTokens);
    if (caller.kind !== 'identified') throw new AuthProblem('invalid-request');
    const { userId } = caller.identified;
    await refreshTokens.revokeAll(userId);
    await personalAccessTokens.revokeAll(userId);
    await exchangeCodes.revokeAll(userId);
    await audit(context, { kind: 'signed-out-everywhere', userId });
  } else {
    if (!refreshToken) throw new AuthProblem('invalid-request');
    const userId = await refreshTokens.revoke(refreshToken);
    if (userId !== undefined) await audit(context, { kind: 'signed-out', userId });
  }
  return context.json('OK');
}
