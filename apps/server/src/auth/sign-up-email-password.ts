import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { emailField, passwordField } from './credentials.ts';
import type { AuthDeps } from './deps.ts';

const Body = z.object({
  email: emailField,
  password: passwordField,
  options: z
    .object({
      displayName: z
        .string()
        .max(32)
        .regex(/^[\p{L}\p{N}\p{S} ,.'-]+$/u)
        .nullish(),
      locale: z.string().min(2).max(3).nullish(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});

/** POST /signup/email-password. */
export async function signUpEmailPassword(
  context: Context,
  { users, passwords, sessions, settings, audit }: AuthDeps,
): Promise<Response> {
  const { email, password, options } = await jsonBody(context, Body);
  if (password.reveal().length < settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const user = await users.insert({
    email,
    passwordHash: await passwords.hash(password),
    displayName: options?.displayName ?? email,
    locale: options?.locale ?? 'en',
    metadata: options?.metadata ?? null,
  });
  if (user === undefined) throw new AuthProblem('user-already-exists');
  await audit(context, { kind: 'signed-up', userId: user.id });
  return context.json({ session: await sessions.open(user, context) });
}
