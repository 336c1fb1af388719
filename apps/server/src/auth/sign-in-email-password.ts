import { truncates } from 'bcryptjs';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import type { Secret } from '../secrets/secret.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';
import { emailField, passwordField } from './sign-in-fields.ts';
import { assertCanSignIn } from './sign-in-problem.ts';
import type { UserRow } from './users.ts';

const Body = z.object({ email: emailField, password: passwordField });

/** POST /signin/email-password. An unknown address and a wrong password get the same response in the same time. */
export async function signInEmailPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { users, passwords, sessions, audit } = deps;
  const { email, password } = await jsonBody(context, Body);
  const user = await users.findByEmail(email);
  const isMatch = await passwords.matches(password, user?.password_hash);
  if (user === undefined || !isMatch) {
    await audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem('invalid-email-password');
  }
  await upgradePasswordHash(deps, user, password);
  // After the password check, so that the response reveals the account's state only to its owner.
  assertCanSignIn(user, deps.settings);
  if (user.active_mfa_type === 'totp')
    return context.json({ mfa: { ticket: await deps.tickets.issue(user.id, 'mfaTotp') } });
  const session = await sessions.open(user, context);
  await audit(context, { kind: 'signed-in', userId: user.id });
  return context.json({ session });
}

/** Replaces an outdated hash of a password that just matched. */
async function upgradePasswordHash(
  { db, passwords }: Pick<AuthDeps, 'db' | 'passwords'>,
  { id, password_hash: oldHash }: UserRow,
  password: Secret,
): Promise<void> {
  if (oldHash === null || !passwords.isOutdated(oldHash)) return;
  // bcrypt compares the first 72 bytes only; the rest may contain a typing error.
  if (truncates(password.reveal())) return;
  await db
    .updateTable('auth.users')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', id)
    // The user may have changed the password at the same time.
    .where('password_hash', '=', oldHash)
    .execute();
}
