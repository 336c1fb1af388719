import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { hasTotpSecret, type MfaDeps, redeemTotpCode } from './redeem-totp-code.ts';

const Body = z.object({ code: z.string(), activeMfaType: z.string().nullish() });

/** POST /user/mfa. Type "totp" activates, no type deactivates. Both require a code. */
export async function changeMfa(context: Context, deps: MfaDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { code, activeMfaType } = await jsonBody(context, Body);
  if (activeMfaType && activeMfaType !== 'totp') throw new AuthProblem('mfa-type-not-found');
  const isActivation = activeMfaType === 'totp';
  if (isActivation && user.active_mfa_type === 'totp') throw new AuthProblem('totp-already-active');
  if (!isActivation && user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  const changed = await redeemTotpCode(context, deps, {
    user,
    code,
    change: isActivation
      ? { active_mfa_type: 'totp', last_totp_step: null }
      : { active_mfa_type: null, totp_secret: null },
  });
  if (changed === undefined) throw new AuthProblem('invalid-totp');
  await deps.audit(context, {
    kind: isActivation ? 'mfa-activated' : 'mfa-deactivated',
    userId: user.id,
  });
  return context.json('OK');
}
