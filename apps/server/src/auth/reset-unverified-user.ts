import type { Database } from '../db/database.ts';
import type { UserRow } from './users.ts';

/**
 * Called when the owner of an e-mail address proves ownership. If it was not verified, removes all credentials: another
 * person may have signed up with the address before, and would keep access. An account with a second factor stays as it
 * is: the address alone must neither open it nor remove the factor.
 */
export async function resetUnverifiedUser(db: Database, user: UserRow): Promise<UserRow> {
  if (user.email_verified || user.active_mfa_type !== null) return user;
  const userId = user.id;
  for (const table of [
    'auth.refresh_tokens',
    'auth.tickets',
    'auth.exchange_codes',
    'auth.one_time_codes',
    'auth.personal_access_tokens',
    'auth.security_keys',
    'auth.provider_accounts',
    'auth.provider_sessions',
  ] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  return await db
    .updateTable('auth.users')
    .set({
      email_verified: true,
      new_email: null,
      password_hash: null,
      phone_number: null,
      phone_number_verified: false,
      totp_secret: null,
      recovery_code_hashes: [],
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
