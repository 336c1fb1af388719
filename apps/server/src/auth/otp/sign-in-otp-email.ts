import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { emailField, oneTimeCodeField } from '../sign-in-fields.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import { openVerifiedSession } from './open-verified-session.ts';

const SendBody = z.object({ email: emailField, options: signUpOptions });

/** POST /signin/otp/email. Mails a code to the address, and creates its user if there is none. */
export async function signInOtpEmail(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options } = await jsonBody(context, SendBody);
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

const VerifyBody = z.object({ email: emailField, otp: oneTimeCodeField });

/** POST /signin/otp/email/verify. The code also verifies the address. */
export async function signInOtpEmailVerify(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, otp } = await jsonBody(context, VerifyBody);
  const user = await deps.users.findByEmail(email);
  const recipient = { userId: user?.id, channel: 'email', to: email } as const;
  const verdict = await deps.oneTimeCodes.redeem(recipient, otp);
  if (user === undefined || verdict !== 'valid') {
    await deps.audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem(
      verdict === 'too-many-attempts' ? 'otp-too-many-attempts' : 'invalid-otp',
    );
  }
  return await openVerifiedSession(context, deps, { user, way: 'email-code' });
}
