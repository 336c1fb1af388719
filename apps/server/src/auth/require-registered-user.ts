import type { Context } from 'hono';
import type { Identified } from './access-token.ts';
import { AuthProblem } from './auth-problem.ts';
import { checkBearer } from './check-bearer.ts';
import type { AuthDeps } from './deps.ts';
import { assertCanSignIn } from './sign-in-problem.ts';
import type { SessionUser } from './users.ts';

export type CurrentUser = SessionUser & { identified: Identified };

/**
 * The registered user of the bearer token; throws for all other callers. The session must still exist: after a sign-out
 * elsewhere, the access token stays valid until it expires.
 */
export async function requireRegisteredUser(
  context: Context,
  { accessTokens, users, settings }: Pick<AuthDeps, 'accessTokens' | 'users' | 'settings'>,
): Promise<CurrentUser> {
  const caller = await checkBearer(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const current = await users.findBySession(caller.identified);
  if (current === undefined || current.user.disabled) throw new AuthProblem('unauthorized');
  const { user } = current;
  if (user.is_anonymous) throw new AuthProblem('forbidden-anonymous');
  assertCanSignIn(user, settings);
  return { ...current, identified: caller.identified };
}
