import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { oneTimeCodeField } from '../sign-in-fields.ts';
import { openVerifiedSession } from './open-verified-session.ts';
import { parsePhoneNumber } from './phone-number.ts';

const Body = z.object({ phoneNumber: z.string(), otp: oneTimeCodeField });

/** POST /signin/passwordless/sms/otp. There is one refusal for everything. Wire §3.7. */
export async function signInSmsOtp(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: typed, otp } = await jsonBody(context, Body);
  const phoneNumber = parsePhoneNumber(typed) ?? '';
  const user = await deps.users.findByPhoneNumber(phoneNumber);
  const recipient = { userId: user?.id, channel: 'sms', to: phoneNumber } as const;
  const verdict = await deps.oneTimeCodes.redeem(recipient, otp);
  if (user === undefined || verdict !== 'valid') {
    await deps.audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem('invalid-otp');
  }
  return await openVerifiedSession(context, deps, {
    user,
    change: { phone_number_verified: true },
  });
}
