import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import type { AuthDeps } from './deps.ts';
import { emailField, passwordField } from './sign-in-fields.ts';
import { assertCanSignIn } from './sign-in-problem.ts';
import { upgradePassword } from './upgrade-password.ts';

const Body = z.object({ email: emailField, password: passwordField });

/** POST /signin/email-password. An unknown address and a wrong password look and cost the same. */
export async function signInEmailPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { users, passwords, sessions, audit } = deps;
  const { email, password } = await jsonBody(context, Body);
  const user = await users.findByEmail(email);
  const isMatch = await passwords.matches(password, user?.password_hash);
  if (user === undefined || !isMatch) {
    await audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem('invalid-email-password');
  }
  await upgradePassword(deps, user, password);
  // After the password, so that only its owner learns of the account's state.
  assertCanSignIn(user, deps.settings);
  if (user.active_mfa_type === 'totp')
    return context.json({ mfa: { ticket: await deps.tickets.issue(user.id, 'mfaTotp') } });
  const session = await sessions.open(user, context);
  await audit(context, { kind: 'signed-in', userId: user.id });
  return context.json({ session });
}
