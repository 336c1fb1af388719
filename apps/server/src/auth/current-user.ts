import type { Context } from 'hono';
import type { Identified } from './access-token.ts';
import { AuthProblem } from './auth-problem.ts';
import { callerOf } from './bearer.ts';
import type { AuthDeps } from './deps.ts';
import type { UserRow } from './users.ts';

export type CurrentUser = { user: UserRow; identified: Identified };

/** The registered user behind the bearer, for endpoints that serve nobody else. */
export async function registeredUser(
  context: Context,
  { accessTokens, users }: Pick<AuthDeps, 'accessTokens' | 'users'>,
): Promise<CurrentUser> {
  const caller = await callerOf(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const user = await users.findById(caller.identified.userId);
  if (user === undefined || user.disabled) throw new AuthProblem('unauthorized');
  if (user.is_anonymous) throw new AuthProblem('forbidden-anonymous');
  return { user, identified: caller.identified };
}
