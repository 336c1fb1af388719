import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { allowedRedirect } from '../redirect-to.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import { findOrSignUp } from './find-or-sign-up.ts';
import { forgetUnreached } from './forget-unreached.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { sendCodeByText } from './send-code-by-text.ts';

const Body = z.object({ phoneNumber: z.string(), options: signUpOptions });

/** POST /signin/passwordless/sms. Says the same of every number; who is disabled gets no text. */
export async function signInSms(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: typed, options } = await jsonBody(context, Body);
  const phoneNumber = parsePhoneNumber(typed);
  if (phoneNumber === undefined) throw new AuthProblem('cannot-send-sms');
  const fields = chosenFields(options, phoneNumber);
  if (allowedRedirect(options?.redirectTo, deps.settings) === undefined)
    throw new AuthProblem('redirectTo-not-allowed');
  const found = await findOrSignUp(context, deps, { email: null, phoneNumber, ...fields });
  if (found.user.disabled) return context.json('OK');
  try {
    await sendCodeByText(deps, { userId: found.user.id, phoneNumber });
  } catch (error) {
    await forgetUnreached(deps.db, found);
    throw error;
  }
  await deps.audit(context, { kind: 'sign-in-code-asked', userId: found.user.id });
  return context.json('OK');
}
