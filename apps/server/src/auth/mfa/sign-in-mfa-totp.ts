import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { hasTotpSecret, type MfaDeps, redeemTotpCode } from './redeem-totp-code.ts';

/** Tickets of other purposes are not redeemed here. */
const MFA_TICKET = /^mfaTotp:/;

const Body = z.object({ ticket: z.string(), otp: z.string() });

/** POST /signin/mfa/totp. The first attempt redeems the ticket, whether the code is valid or not. */
export async function signInMfaTotp(context: Context, deps: MfaDeps): Promise<Response> {
  const { ticket, otp } = await jsonBody(context, Body);
  const redeemed = MFA_TICKET.test(ticket) ? await deps.tickets.redeem(ticket) : undefined;
  const user = redeemed && (await deps.users.findById(redeemed.userId));
  if (user === undefined) throw new AuthProblem('invalid-ticket');
  assertCanSignIn(user, deps.settings);
  if (user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  if ((await redeemTotpCode(context, deps, { user, code: otp })) === undefined)
    throw new AuthProblem('invalid-totp');
  await deps.audit(context, { kind: 'signed-in', userId: user.id });
  return context.json({ session: await deps.sessions.open(user, context) });
}
