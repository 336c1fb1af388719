import type { Database } from '../../db/database.ts';

/** Anonymous users have no account until they register. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const account = await db
    .selectFrom('auth.users')
    .select('id')
    .where('is_anonymous', '=', false)
    .limit(1)
    .executeTakeFirst();
  return account !== undefined;
}

/** Reads the database each time, so that a revoked role has no effect from then on. A disabled operator is none. */
export async function isOperator(db: Database, userId: string): Promise<boolean> {
  return (await accountKind(db, userId)) === 'operator';
}

/** Anonymous users become registered ones when they sign up. */
export async function accountKind(
  db: Database,
  userId: string,
): Promise<'operator' | 'registered' | 'anonymous'> {
  const user = await db
    .selectFrom('auth.users')
    .select(['is_anonymous', 'is_operator', 'disabled'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user?.is_anonymous) return 'anonymous';
  return user?.is_operator && !user.disabled ? 'operator' : 'registered';
}

/** Counts anonymous users too: they can own apps and domains. */
export async function hasSeveralUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('auth.users').select('id').limit(2).execute()).length > 1;
}
