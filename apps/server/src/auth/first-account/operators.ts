import type { Database } from '../../db/database.ts';

/** `last-operator`: without this user, nobody could operate the installation. */
export type RoleChange = 'granted' | 'revoked' | 'unchanged' | 'no-account' | 'last-operator';

/** Grants or revokes the role of the account with this address. */
export async function changeOperator(
  db: Database,
  { email, isOperator }: { email: string; isOperator: boolean },
): Promise<RoleChange> {
  return await db.transaction().execute(async (tx) => {
    const operators = await lockOperators(tx);
    const user = await tx
      .selectFrom('auth.users')
      .select(['id', 'is_operator', 'disabled'])
      .where('email', '=', email.trim().toLowerCase())
      .where('is_anonymous', '=', false)
      .executeTakeFirst();
    if (user === undefined || (isOperator && user.disabled)) return 'no-account';
    if (user.is_operator === isOperator) return 'unchanged';
    if (!isOperator && isOnly(user.id, operators)) return 'last-operator';
    await tx
      .updateTable('auth.users')
      .set({ is_operator: isOperator })
      .where('id', '=', user.id)
      .execute();
    const kind = isOperator ? 'operator-granted' : 'operator-revoked';
    const details = JSON.stringify({ by: 'command line' });
    await tx.insertInto('auth.events').values({ kind, user_id: user.id, details }).execute();
    return isOperator ? 'granted' : 'revoked';
  });
}

/** `self`: operators cannot disable their own account. */
export type DisableChange = 'changed' | 'unchanged' | 'no-account' | 'self' | 'last-operator';

/**
 * Disables or enables an account. Disabling ends its sessions and everything that could open one. Personal access tokens stay
 * stored, but are refused until the account is enabled.
 */
export async function changeDisabled(
  db: Database,
  { userId, isDisabled, by }: { userId: string; isDisabled: boolean; by: string },
): Promise<DisableChange> {
  if (userId === by) return 'self';
  return await db.transaction().execute(async (tx) => {
    const operators = await lockOperators(tx);
    if (isDisabled && isOnly(userId, operators)) return 'last-operator';
    const user = await tx
      .selectFrom('auth.users')
      .select('disabled')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) return 'no-account';
    if (user.disabled === isDisabled) return 'unchanged';
    await tx
      .updateTable('auth.users')
      .set({ disabled: isDisabled })
      .where('id', '=', userId)
      .execute();
    if (isDisabled) {
      for (const table of ENDED_BY_DISABLING)
        await tx.deleteFrom(table).where('user_id', '=', userId).execute();
    }
    return 'changed';
  });
}

const ENDED_BY_DISABLING = [
  'auth.refresh_tokens',
  'auth.tickets',
  'auth.one_time_codes',
  'auth.challenges',
  'auth.exchange_codes',
] as const;

/** Until the transaction ends, no other one can revoke or disable an operator. */
async function lockOperators(tx: Database): Promise<string[]> {
  const rows = await tx
    .selectFrom('auth.users')
    .select('id')
    .where('is_operator', '=', true)
    .where('disabled', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

function isOnly(userId: string, operators: string[]): boolean {
  return operators.length === 1 && operators[0] === userId;
}
