import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { emailField, passwordField } from './credentials.ts';
import type { AuthDeps } from './deps.ts';

const Body = z.object({ email: emailField, password: passwordField });

/** POST /signin/email-password. An unknown address and a wrong password look and cost the same. */
export async function signInEmailPassword(
  context: Context,
  { users, passwords, sessions }: AuthDeps,
): Promise<Response> {
  const { email, password } = await jsonBody(context, Body);
  const user = await users.findByEmail(email);
  const isMatch = await passwords.matches(password, user?.password_hash);
  if (user === undefined || !isMatch) throw new AuthProblem('invalid-email-password');
  if (user.disabled) throw new AuthProblem('disabled-user');
  return context.json({ session: await sessions.open(user) });
}
