import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { resetUnverifiedUser } from '../reset-unverified-user.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import type { UserRow } from '../users.ts';

export type Proven = {
  user: UserRow;
  change: { email_verified: true } | { phone_number_verified: true };
};

/** Opens the session of a user who has just proven to own an address or a number. */
export async function openVerifiedSession(
  context: Context,
  { db, sessions, settings, audit }: AuthDeps,
  { user, change }: Proven,
): Promise<Response> {
  const proven = { ...user, ...change };
  assertCanSignIn(proven, settings);
  const isNewlyProven = proven.email_verified && !user.email_verified;
  // Nobody could sign in with that address before, so what was set up with it was not its owner's.
  if (isNewlyProven && settings.requireVerifiedEmail) await resetUnverifiedUser(db, user.id);
  const row = await db
    .updateTable('auth.users')
    .set(change)
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new AuthProblem('invalid-otp');
  if (isNewlyProven) await audit(context, { kind: 'email-verified', userId: user.id });
  await audit(context, { kind: 'signed-in', userId: user.id });
  return context.json({ session: await sessions.open(row, context) });
}
