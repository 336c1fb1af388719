import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';

export type VerifiedUser = {
  user: UserRow;
  /** What the user has just verified. */
  verified: { email_verified: true } | { phone_number_verified: true };
};

/** Opens a session for a user who has just verified an e-mail address or a phone number. */
export async function openVerifiedSession(
  context: Context,
  { db, sessions, settings, audit }: AuthDeps,
  { user, verified }: VerifiedUser,
): Promise<Response> {
  const verifiedUser = { ...user, ...verified };
  assertCanSignIn(verifiedUser, settings);
  const isEmailNewlyVerified = verifiedUser.email_verified && !user.email_verified;
  // The owner could not sign in before, so another person may have set the credentials.
  if (isEmailNewlyVerified && settings.requireVerifiedEmail) await resetUnverifiedUser(db, user.id);
  const row = await db
    .updateTable('auth.users')
    .set(verified)
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AuthProblem('invalid-otp');
  if (isEmailNewlyVerified) await audit(context, { kind: 'email-verified', userId: user.id });
  await audit(context, { kind: 'signed-in', userId: user.id });
  return context.json({ session: await sessions.open(row, context) });
}
