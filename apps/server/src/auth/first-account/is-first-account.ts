import type { Database } from '../../db/database.ts';

/** Whether the user is the operator: the oldest account of the installation. */
export async function isFirstAccount(db: Database, userId: string): Promise<boolean> {
  const first = await db
    .selectFrom('auth.users')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id === userId;
}
