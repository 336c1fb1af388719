import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { emailField } from '../credentials.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import { findOrSignUp } from './find-or-sign-up.ts';
import { forgetUnreached } from './forget-unreached.ts';

const Body = z.object({ email: emailField, options: signUpOptions });

/** POST /signin/otp/email. Says the same of every address; who is disabled gets no mail. */
export async function signInOtpEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options } = await jsonBody(context, Body);
  const fields = chosenFields(options, email);
  if (allowedRedirect(options?.redirectTo, deps.settings) === undefined)
    throw new AuthProblem('redirectTo-not-allowed');
  const found = await findOrSignUp(context, deps, { email, ...fields });
  const { user } = found;
  if (user.disabled) return context.json('OK');
  const code = await deps.oneTimeCodes.issue(user.id, 'email');
  try {
    await deps.mailer.send({
      to: email,
      purpose: 'sign-in-code',
      displayName: user.display_name,
      locale: user.locale,
      code,
    });
  } catch (error) {
    await forgetUnreached(deps.db, found);
    throw error;
  }
  await deps.audit(context, { kind: 'sign-in-code-asked', userId: user.id });
  return context.json('OK');
}
