import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { emailField, oneTimeCodeField } from '../sign-in-fields.ts';
import { openVerifiedSession } from './open-verified-session.ts';

const Body = z.object({ email: emailField, otp: oneTimeCodeField });

/** POST /signin/otp/email/verify. Whoever has the code has the address, so it is verified. */
export async function signInOtpEmailVerify(context: Context, deps: AuthDeps): Promise<Response> {
  const { email, otp } = await jsonBody(context, Body);
  const user = await deps.users.findByEmail(email);
  const recipient = { userId: user?.id, channel: 'email', to: email } as const;
  const verdict = await deps.oneTimeCodes.redeem(recipient, otp);
  if (user === undefined || verdict !== 'valid') {
    await deps.audit(context, { kind: 'sign-in-refused', userId: user?.id });
    throw new AuthProblem(
      verdict === 'too-many-attempts' ? 'otp-too-many-attempts' : 'invalid-otp',
    );
  }
  return await openVerifiedSession(context, deps, { user, change: { email_verified: true } });
}
