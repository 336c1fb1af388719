import type { Context } from 'hono';
import type { Database } from '../../db/database.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import type { Profile } from './profile.ts';
import type { ProviderName } from './provider.ts';

type Account = { provider: ProviderName; accountId: string };

/** Links a provider account to a user, who can then sign in with it. An account is linked to at most one user. */
export async function linkAccount(
  context: Context,
  { db, users, audit }: AuthDeps,
  { provider, profile, userId }: { provider: ProviderName; profile: Profile; userId: string },
): Promise<void> {
  const user = await users.findById(userId);
  if (user === undefined) throw new AuthProblem('invalid-request');
  if (user.disabled) throw new AuthProblem('disabled-user');
  const isLinked = await insertLink(db, { provider, accountId: profile.accountId, userId });
  if (!isLinked) throw new AuthProblem('provider-account-already-linked');
  await audit(context, { kind: 'provider-linked', userId, details: { provider } });
}

export function findLinkedUser(
  db: Database,
  { provider, accountId }: Account,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('auth.provider_accounts')
    .innerJoin('auth.users', 'auth.users.id', 'auth.provider_accounts.user_id')
    .selectAll('auth.users')
    .where('provider', '=', provider)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export async function hasLink(
  db: Database,
  { userId, provider }: { userId: string; provider: ProviderName },
): Promise<boolean> {
  const link = await db
    .selectFrom('auth.provider_accounts')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return link !== undefined;
}

/** Returns false if the account already has a user. */
export async function insertLink(
  db: Database,
  { provider, accountId, userId }: Account & { userId: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('auth.provider_accounts')
    .values({ provider, account_id: accountId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}
