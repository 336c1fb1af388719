import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { emailField } from '../credentials.ts';
import type { AuthDeps } from '../deps.ts';
import { redirectTarget } from '../redirect-target.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import type { UserRow } from '../users.ts';
import { sendLink } from './send-link.ts';

const Body = z.object({ email: emailField, options: signUpOptions });
type Wish = z.infer<typeof Body>;

/** POST /signin/passwordless/email. Who is not known yet gets an account, and everybody gets a mail. */
export async function signInPasswordlessEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const wish = await jsonBody(context, Body);
  const redirectTo = redirectTarget(wish.options, deps.settings);
  const user = await knownOrNew(context, wish, deps);
  if (user.disabled) throw new AuthProblem('disabled-user');
  await deps.audit(context, { kind: 'sign-in-link-asked', userId: user.id });
  await sendLink({ user, to: wish.email, purpose: 'passwordlessEmail', redirectTo }, deps);
  return context.json('OK');
}

async function knownOrNew(
  context: Context,
  { email, options }: Wish,
  { users, audit }: AuthDeps,
): Promise<UserRow> {
  const fields = chosenFields(options, email);
  const known = await users.findByEmail(email);
  if (known !== undefined) return known;
  const made = await users.insert({ ...fields, email, passwordHash: null });
  if (made !== undefined) {
    await audit(context, { kind: 'signed-up', userId: made.id, details: { by: 'email-link' } });
    return made;
  }
  // Somebody else made the same account at this moment.
  const meanwhile = await users.findByEmail(email);
  if (meanwhile === undefined) throw new AuthProblem('invalid-request');
  return meanwhile;
}
