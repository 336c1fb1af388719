import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { emailField } from '../sign-in-fields.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';

const Body = z.object({ email: emailField, options: signUpOptions });

/** POST /signin/otp/email. Who is not known yet gets an account, and everybody gets a mail. */
export async function signInOtpEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options } = await jsonBody(context, Body);
  const fields = signUpFields(options, email);
  requireAllowedRedirect(options, deps.settings);
  const found = await findOrSignUp(context, deps, { email, ...fields });
  const { user } = found;
  if (user.disabled) throw new AuthProblem('disabled-user');
  const code = await deps.oneTimeCodes.issue({ userId: user.id, channel: 'email', to: email });
  await sendOrRollBackSignUp(deps.db, found, () =>
    deps.mailer.send({
      to: email,
      purpose: 'sign-in-code',
      displayName: user.display_name,
      locale: user.locale,
      code,
    }),
  );
  await deps.audit(context, { kind: 'sign-in-code-asked', userId: user.id });
  return context.json('OK');
}
