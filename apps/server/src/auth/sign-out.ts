import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { checkBearer } from './check-bearer.ts';
import type { AuthDeps } from './deps.ts';

const Body = z.object({ refreshToken: z.string().nullish(), all: z.boolean().nullish() });

/** POST /signout. Ends one session by its refresh token, or all sessions of a caller whose own session exists. */
export async function signOut(
  context: Context,
  {
    accessTokens,
    users,
    refreshTokens,
    tickets,
    exchangeCodes,
    personalAccessTokens,
    audit,
  }: AuthDeps,
): Promise<Response> {
  const { refreshToken, all } = await jsonBody(context, Body);
  if (all) {
    const caller = await checkBearer(context.req.header('authorization'), accessTokens);
    const current = caller.kind === 'identified' && (await users.findBySession(caller.identified));
    if (!current) throw new AuthProblem('invalid-request');
    const userId = current.user.id;
    await refreshTokens.revokeAll(userId);
    await personalAccessTokens.revokeAll(userId);
    await exchangeCodes.revokeAll(userId);
    // Another person may have asked for the change of address, and can read the link.
    await tickets.revoke(userId, 'emailConfirmChange');
    await audit(context, { kind: 'signed-out-everywhere', userId });
  } else {
    if (!refreshToken) throw new AuthProblem('invalid-request');
    const userId = await refreshTokens.revoke(refreshToken);
    if (userId !== undefined) await audit(context, { kind: 'signed-out', userId });
  }
  return context.json('OK');
}
