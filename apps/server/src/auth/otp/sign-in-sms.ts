import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { oneTimeCodeField } from '../sign-in-fields.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import { openVerifiedSession } from './open-verified-session.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { sendCodeBySms } from './send-code-by-sms.ts';

const SendBody = z.object({ phoneNumber: z.string(), options: signUpOptions });

/** POST /signin/passwordless/sms. Sends a code to the phone number, and creates its user if there is none. */
export async function signInSms(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: entered, options } = await jsonBody(context, SendBody);
  const phoneNumber = parsePhoneNumber(entered);
  if (phoneNumber === undefined) throw new AuthProblem('cannot-send-sms');
  const fields = signUpFields(options, phoneNumber);
  requireAllowedRedirect(options, deps.settings);
  const found = await findOrSignUp(context, deps, { email: null, phoneNumber, ...fields });
  if (found.user.disabled) throw new AuthProblem('disabled-user');
  await sendOrRollBackSignUp(deps.db, found, () =>
    sendCodeBySms(deps, { userId: found.user.id, phoneNumber }),
  );
  await deps.audit(context, { kind: 'sign-in-code-asked', userId: found.user.id });
  return context.json('OK');
}

const VerifyBody = z.object({ phoneNumber: z.string(), otp: oneTimeCodeField });

/** POST /signin/passwordless/sms/otp. Every refusal gets the same response. */
export async function signInSmsOtp(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: entered, otp } = await jsonBody(context, VerifyBody);
  const phoneNumber = parsePhoneNumber(entered) ?? '';
  const user = await deps.users.findByPhoneNumber(phoneNumber);
  const recipient = { userId: user?.id, channel: 'sms', to: phoneNumber } as const;
  const verdict = await deps.oneTimeCodes.redeem(recipient, otp);
  if (user === undefined || verdict !== 'valid') {
    await deps.audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem('invalid-otp');
  }
  return await openVerifiedSession(context, deps, { user, way: 'sms-code' });
}
