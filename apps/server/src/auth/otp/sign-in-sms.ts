import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { findOrSignUp } from '../find-or-sign-up.ts';
import { reachOrForget } from '../reach-or-forget.ts';
import { redirectTarget } from '../redirect-target.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { sendCodeByText } from './send-code-by-text.ts';

const Body = z.object({ phoneNumber: z.string(), options: signUpOptions });

/** POST /signin/passwordless/sms. Who is not known yet gets an account, and everybody gets a text message. */
export async function signInSms(context: Context, deps: AuthDeps): Promise<Response> {
  const { phoneNumber: typed, options } = await jsonBody(context, Body);
  const phoneNumber = parsePhoneNumber(typed);
  if (phoneNumber === undefined) throw new AuthProblem('cannot-send-sms');
  const fields = chosenFields(options, phoneNumber);
  redirectTarget(options, deps.settings);
  const found = await findOrSignUp(context, deps, { email: null, phoneNumber, ...fields });
  if (found.user.disabled) throw new AuthProblem('disabled-user');
  await reachOrForget(deps.db, found, () =>
    sendCodeByText(deps, { userId: found.user.id, phoneNumber }),
  );
  await deps.audit(context, { kind: 'sign-in-code-asked', userId: found.user.id });
  return context.json('OK');
}
