import { sql } from 'kysely';
import type { AuthDeps } from '../deps.ts';
import type { SignUpFields } from '../sign-up-options.ts';
import type { UserRow } from '../users.ts';

export type Registration = SignUpFields & {
  /** One of both is given. */
  email: string | null;
  phoneNumber: string | null;
  passwordHash: string | null;
};

const UNIQUE_VIOLATION = '23505';

/** Makes an anonymous user a registered one, once. Answers nothing when somebody else has the address. */
export async function registerAnonymous(
  { db, signUpPolicy }: Pick<AuthDeps, 'db' | 'signUpPolicy'>,
  userId: string,
  registration: Registration,
): Promise<UserRow | undefined> {
  const { email, phoneNumber, passwordHash, displayName, locale, metadata } = registration;
  await signUpPolicy.check(db);
  return await db
    .updateTable('auth.users')
    .set({
      email,
      phone_number: phoneNumber,
      password_hash: passwordHash,
      display_name: displayName,
      locale,
      metadata: metadata === null ? null : sql`${JSON.stringify(metadata)}::jsonb`,
      roles: registration.roles,
      default_role: registration.defaultRole,
      is_anonymous: false,
    })
    .where('id', '=', userId)
    .where('is_anonymous', '=', true)
    .returningAll()
    .executeTakeFirst()
    .catch(nothingIfTaken);
}

/** Two may ask for the same address; the database lets one of them have it. */
function nothingIfTaken(error: { code?: string }): undefined {
  if (error.code !== UNIQUE_VIOLATION) throw error;
}
