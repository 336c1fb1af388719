import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { insertLink } from './account-links.ts';
import type { Profile, ProviderName } from './provider.ts';

type Link = { provider: ProviderName; profile: Profile; userId: string };

/** Lets a user sign in with an account from now on. An account has one user. */
export async function linkAccount(
  context: Context,
  { db, users, audit }: AuthDeps,
  { provider, profile, userId }: Link,
): Promise<void> {
  const user = await users.findById(userId);
  if (user === undefined) throw new AuthProblem('invalid-request');
  if (user.disabled) throw new AuthProblem('disabled-user');
  const isLinked = await insertLink(db, { provider, accountId: profile.accountId, userId });
  if (!isLinked) throw new AuthProblem('provider-account-already-linked');
  await audit(context, { kind: 'provider-linked', userId, details: { provider } });
}
