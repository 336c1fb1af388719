import type { Context } from 'hono';
import type { Identified } from './access-token.ts';
import { AuthProblem } from './auth-problem.ts';
import { callerOf } from './caller.ts';
import type { AuthDeps } from './deps.ts';
import { assertCanSignIn } from './sign-in-problem.ts';
import type { UserRow } from './users.ts';

export type CurrentUser = { user: UserRow; identified: Identified };

/**
 * The registered user behind the bearer, for endpoints that serve nobody else. The session must go on: who was thrown
 * out has an access token for a while, and must not come back with it.
 */
export async function requireRegisteredUser(
  context: Context,
  { accessTokens, users, settings }: Pick<AuthDeps, 'accessTokens' | 'users' | 'settings'>,
): Promise<CurrentUser> {
  const caller = await callerOf(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const user = await users.findBySession(caller.identified);
  if (user === undefined || user.disabled) throw new AuthProblem('unauthorized');
  if (user.is_anonymous) throw new AuthProblem('forbidden-anonymous');
  assertCanSignIn(user, settings);
  return { user, identified: caller.identified };
}
