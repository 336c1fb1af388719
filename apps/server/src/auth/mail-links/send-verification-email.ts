import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { emailField } from '../sign-in-fields.ts';
import { linkOptions, sendLink } from './mail-link.ts';

const Body = z.object({
  email: emailField,
  options: linkOptions,
  codeChallenge: codeChallengeField,
});

/**
 * POST /user/email/send-verification-email. As nhost-js expects, the errors reveal whether an account exists.
 */
export async function sendVerificationEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options, codeChallenge } = await jsonBody(context, Body);
  const redirectTo = requireAllowedRedirect(options, deps.settings);
  const user = await deps.users.findByEmail(email);
  if (user === undefined) throw new AuthProblem('invalid-email-password');
  if (user.disabled) throw new AuthProblem('disabled-user');
  if (user.email_verified) throw new AuthProblem('email-already-verified');
  await sendLink({ user, to: email, purpose: 'verifyEmail', redirectTo, codeChallenge }, deps);
  await deps.audit(context, { kind: 'verification-mail-asked', userId: user.id });
  return context.json('OK');
}
