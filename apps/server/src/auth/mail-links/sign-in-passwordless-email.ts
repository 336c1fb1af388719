import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { emailField } from '../sign-in-fields.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import { sendLink } from './mail-link.ts';

const Body = z.object({
  email: emailField,
  options: signUpOptions,
  codeChallenge: codeChallengeField,
});

/** POST /signin/passwordless/email. Mails a link to the address, and creates its user if there is none. */
export async function signInPasswordlessEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options, codeChallenge } = await jsonBody(context, Body);
  const fields = signUpFields(options, email);
  const redirectTo = requireAllowedRedirect(options, deps.settings);
  const found = await findOrSignUp(context, deps, { email, ...fields });
  const { user } = found;
  if (user.disabled) throw new AuthProblem('disabled-user');
  await deps.audit(context, { kind: 'sign-in-link-asked', userId: user.id });
  const link = {
    user,
    to: email,
    purpose: 'passwordlessEmail',
    redirectTo,
    codeChallenge,
  } as const;
  await sendOrRollBackSignUp(deps.db, found, () => sendLink(link, deps));
  return context.json('OK');
}
