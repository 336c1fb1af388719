import type { Database } from '../../db/database.ts';

/** Anonymous users have no account until they register. */
export async function hasAccounts(db: Database): Promise<boolean> {
  return (await firstAccountId(db)) !== undefined;
}

/** Whether the user is the operator: the oldest account of the installation. */
export async function isFirstAccount(db: Database, userId: string): Promise<boolean> {
  return (await firstAccountId(db)) === userId;
}

/** Anonymous users become registered ones when they sign up. */
export async function accountKind(
  db: Database,
  userId: string,
): Promise<'operator' | 'registered' | 'anonymous'> {
  const user = await db
    .selectFrom('auth.users')
    .select('is_anonymous')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user?.is_anonymous) return 'anonymous';
  return (await isFirstAccount(db, userId)) ? 'operator' : 'registered';
}

async function firstAccountId(db: Database): Promise<string | undefined> {
  const first = await db
    .selectFrom('auth.users')
    .select('id')
    .where('is_anonymous', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id;
}
