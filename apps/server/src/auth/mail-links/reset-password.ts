import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import type { Background } from '../background.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { requireAllowedRedirect } from '../redirect-to.ts';
import { emailField } from '../sign-in-fields.ts';
import { signInProblem } from '../sign-in-problem.ts';
import { linkOptions, sendLink } from './mail-link.ts';

const Body = z.object({
  email: emailField,
  options: linkOptions,
  codeChallenge: codeChallengeField,
});

/** POST /user/password/reset. The response is always "OK": it does not reveal whether the account exists. */
export async function resetPassword(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, options, codeChallenge } = await jsonBody(context, Body);
  const redirectTo = requireAllowedRedirect(options, deps.settings);
  await respondInFixedTime(async () => {
    const user = await deps.users.findByEmail(email);
    if (user === undefined || signInProblem(user, deps.settings) !== undefined) return;
    await deps.audit(context, { kind: 'password-reset-asked', userId: user.id });
    await sendLink({ user, to: email, purpose: 'passwordReset', redirectTo, codeChallenge }, deps);
  }, deps.background);
  return context.json('OK');
}

/** Longer than the work usually takes. */
const RESPONSE_TIME_MS = 250;

/**
 * Runs the work in the background and resolves after a fixed time, so that the response time does not reveal whether
 * there was anything to do.
 */
export async function respondInFixedTime(
  work: () => Promise<void>,
  background: Background,
): Promise<void> {
  const elapsed = delay(RESPONSE_TIME_MS);
  background.run(work);
  await elapsed;
}
