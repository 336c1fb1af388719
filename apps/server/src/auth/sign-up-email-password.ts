import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import { AuthProblem } from './auth-problem.ts';
import { codeChallengeField } from './code-exchange/code-challenge.ts';
import type { AuthDeps } from './deps.ts';
import { sendLink } from './mail-links/mail-link.ts';
import { requireAllowedRedirect } from './redirect-to.ts';
import { sendOrRollBackSignUp } from './send-or-roll-back-sign-up.ts';
import { signInResponse } from './sessions.ts';
import { emailField, invitationField, passwordField, setupCodeField } from './sign-in-fields.ts';
import { signInProblem } from './sign-in-problem.ts';
import { signUpFields, signUpOptions } from './sign-up-options.ts';

const Body = z.object({
  email: emailField,
  password: passwordField,
  options: signUpOptions,
  codeChallenge: codeChallengeField,
  setupCode: setupCodeField,
  invitation: invitationField,
});

/**
 * POST /signup/email-password, the only endpoint that accepts a setup code or an invitation. If the address must be
 * verified first, the response contains no session.
 */
export async function signUpEmailPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { users, passwords, sessions, settings, audit } = deps;
  const { email, password, options, codeChallenge, ...permission } = await jsonBody(context, Body);
  await deps.signUpPolicy.check(deps.db, { email, ...permission });
  if (password.reveal().length < settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const redirectTo = requireAllowedRedirect(options, settings);
  const fields = signUpFields(options, email);
  const passwordHash = await passwords.hash(password);
  const user = await users.insert({ ...fields, email, passwordHash }, permission);
  if (user === undefined) throw new AuthProblem('user-already-exists');
  const details: Record<string, string> = permission.invitation ? { by: 'invitation' } : {};
  await audit(context, { kind: 'signed-up', userId: user.id, details });
  if (signInProblem(user, settings) === undefined)
    return signInResponse(context, await sessions.open(context, { user, way: 'sign-up' }));
  const link = { user, to: email, purpose: 'verifyEmail', redirectTo, codeChallenge } as const;
  await sendOrRollBackSignUp(deps.db, { user, isNew: true }, () => sendLink(link, deps));
  return context.json({});
}
