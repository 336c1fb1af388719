import type { Database } from '../db/database.ts';
import type { Found } from './find-or-sign-up.ts';
import type { UserRow } from './users.ts';

/**
 * Sends somebody a message. A user signed up a moment ago whom it did not reach leaves nothing behind: the address is
 * free, and signing up again is how one tries again.
 */
export async function sendOrRollBackSignUp(
  db: Database,
  { user, isNew }: Found,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (isNew) await forget(db, user);
    throw error;
  }
}

/** A message may have arrived although its sending failed; who followed it stays. */
async function forget(db: Database, { id, password_hash }: UserRow): Promise<void> {
  await db
    .deleteFrom('auth.users')
    .where('id', '=', id)
    .where('email_verified', '=', false)
    .where('phone_number_verified', '=', false)
    .where('password_hash', 'is not distinct from', password_hash)
    .execute();
}
