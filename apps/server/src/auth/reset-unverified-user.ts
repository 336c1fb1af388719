import type { Database } from '../db/database.ts';
import type { UserRow } from './users.ts';

/**
 * For an account whose e-mail address was never verified, when its owner verifies it by another method. Removes every
 * credential: a stranger may have signed up with the address in advance, and would keep access.
 */
export async function resetUnverifiedUser(db: Database, userId: string): Promise<UserRow> {
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
      active_mfa_type: null,
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
