import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';

const Body = z.object({ personalAccessToken: z.string() });

/** POST /signin/pat. The session is one like others, with a refresh token of its own, and ends with the token. */
export async function signInPat(context: Context, deps: AuthDeps): Promise<Response> {
  const { personalAccessToken } = await jsonBody(context, Body);
  const pat = await deps.personalAccessTokens.use(personalAccessToken);
  const user = pat && (await deps.users.findById(pat.userId));
  if (pat === undefined || user === undefined) {
    await deps.audit(context, { kind: 'sign-in-refused' });
    throw new AuthProblem('invalid-pat');
  }
  assertCanSignIn(user, deps.settings);
  const session = await deps.sessions.open(user, context);
  if (!(await deps.personalAccessTokens.bind(pat.id, session.refreshTokenId))) {
    await deps.refreshTokens.revokeSession(user.id, session.refreshTokenId);
    throw new AuthProblem('invalid-pat');
  }
  await deps.audit(context, {
    kind: 'signed-in',
    userId: user.id,
    details: { accessTokenId: pat.id },
  });
  return context.json({ session });
}
