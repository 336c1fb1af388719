import { truncates } from 'bcryptjs';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import type { Secret } from '../secrets/secret.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';
import { signInResponse } from './sessions.ts';
import { emailField, passwordField } from './sign-in-fields.ts';
import type { UserRow } from './users.ts';

const Body = z.object({ email: emailField, password: passwordField });

/** POST /signin/email-password. An unknown address and a wrong password get the same response in the same time. */
export async function signInEmailPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { users, passwords, sessions, audit } = deps;
  const { email, password } = await jsonBody(context, Body);
  const found = await users.findByEmail(email);
  const isMatch = await passwords.matches(password, found?.password_hash);
  if (found === undefined || !isMatch) {
    await audit(context, { kind: 'sign-in-refused', userId: found?.id });
    throw new AuthProblem('invalid-email-password');
  }
  const user = await upgradePasswordHash(deps, found, password);
  const event = { kind: 'signed-in' } as const;
  return signInResponse(context, await sessions.open(context, { user, way: 'password', event }));
}

/** Replaces an outdated hash of a password that just matched. Returns the user with the hash that it matches. */
async function upgradePasswordHash(
  { db, users, passwords }: Pick<AuthDeps, 'db' | 'users' | 'passwords'>,
  user: UserRow,
  password: Secret,
): Promise<UserRow> {
  const { id, password_hash: oldHash } = user;
  if (oldHash === null || !passwords.isOutdated(oldHash)) return user;
  // bcrypt compares the first 72 bytes only; the rest may contain a typing error.
  if (truncates(password.reveal())) return user;
  const upgraded = await db
    .updateTable('auth.users')
    .set({ password_hash: await passwords.hash(password) })
    .where('id', '=', id)
    // The user may have changed the password at the same time.
    .where('password_hash', '=', oldHash)
    .returningAll()
    .executeTakeFirst();
  if (upgraded !== undefined) return upgraded;
  // A simultaneous sign-in may have replaced the hash of the same password.
  const current = await users.findById(id);
  return current && (await passwords.matches(password, current.password_hash)) ? current : user;
}
