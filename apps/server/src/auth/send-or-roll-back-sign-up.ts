import type { Database } from '../db/database.ts';
import type { FoundUser } from './find-or-sign-up.ts';
import type { UserRow } from './users.ts';

/** Sends a message to a user. If sending fails, a new user is deleted, so that they can sign up again. */
export async function sendOrRollBackSignUp(
  db: Database,
  { user, isNew }: FoundUser,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (isNew) await deleteUnverified(db, user);
    throw error;
  }
}

/** The message may have arrived although sending failed; a user who followed its link is verified and stays. */
async function deleteUnverified(db: Database, { id, password_hash }: UserRow): Promise<void> {
  await db
    .deleteFrom('auth.users')
    .where('id', '=', id)
    .where('email_verified', '=', false)
    .where('phone_number_verified', '=', false)
    .where('password_hash', 'is not distinct from', password_hash)
    .execute();
}
