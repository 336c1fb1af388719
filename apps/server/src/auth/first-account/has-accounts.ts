import type { Database } from '../../db/database.ts';

/** Anonymous users have no account yet. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const account = await db
    .selectFrom('auth.users')
    .select('id')
    .where('is_anonymous', '=', false)
    .limit(1)
    .executeTakeFirst();
  return account !== undefined;
}
