import type { Database } from '../db/database.ts';
import type { Found } from './find-or-sign-up.ts';

/** A user signed up a moment ago whom no message reached leaves nothing behind. */
export async function forgetUnreached(db: Database, { user, isNew }: Found): Promise<void> {
  if (!isNew) return;
  await db
    .deleteFrom('auth.users')
    .where('id', '=', user.id)
    .where('email_verified', '=', false)
    .where('phone_number_verified', '=', false)
    .where('password_hash', 'is', null)
    .execute();
}
