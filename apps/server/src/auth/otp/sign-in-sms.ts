import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { sendOrRollBackSignUp } from '../send-or-roll-back-sign-up.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { sendCodeBySms } from './send-code-by-sms.ts';

const Body = z.object({ phoneNumber: z.string(), options: signUpOptions });

/** POST /signin/passwordless/sms. Who is not known yet gets an account, and everybody gets a text message. */
export async function signInSms(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: typed, options } = await jsonBody(context, Body);
  const phoneNumber = parsePhoneNumber(typed);
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
