import type { Database } from '../../db/database.ts';
import type { UserRow } from '../users.ts';
import type { ProviderName } from './provider.ts';

type Account = { provider: ProviderName; accountId: string };

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

/** An account belongs to one user: answers false when it has one already. */
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
