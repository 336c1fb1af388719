import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { emailField } from '../sign-in-fields.ts';
import { signInProblem } from '../sign-in-problem.ts';
import { respondInFixedTime } from './answer-alike.ts';
import { linkOptions } from './link-options.ts';
import { sendLink } from './send-link.ts';

const Body = z.object({
  email: emailField,
  options: linkOptions,
  codeChallenge: codeChallengeField,
});

/** POST /user/password/reset. The answer is "OK" whoever is asked for, also when no mail could be sent. */
export async function resetPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options, codeChallenge } = await jsonBody(context, Body);
  const redirectTo = requireAllowedRedirect(options, deps.settings);
  await respondInFixedTime(async () => {
    const user = await deps.users.findByEmail(email);
    if (user === undefined || signInProblem(user, deps.settings) !== undefined) return;
    await deps.audit(context, { kind: 'password-reset-asked', userId: user.id });
    await sendLink({ user, to: email, purpose: 'passwordReset', redirectTo, codeChallenge }, deps);
  }, deps);
  return context.json('OK');
}
