import type { Database } from '../db/database.ts';
import type { UserRow } from './users.ts';

/**
 * Called when the owner of the e-mail address of an unverified account proves ownership. Removes all credentials:
 * another person may have signed up with the address before, and would keep access.
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
      recovery_code_hashes: [],
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
