import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import type { CodeAttempts } from './code-attempts.ts';
import { totpStep } from './totp.ts';

export type MfaDeps = AuthDeps & { codeAttempts: CodeAttempts };

export type TotpAttempt = {
  user: UserRow & { totp_secret: string };
  code: string;
  /** The change of the second factor that a valid code authorizes. Undefined for a sign-in. */
  change?:
    | { active_mfa_type: 'totp'; last_totp_step: null }
    | { active_mfa_type: null; totp_secret: null };
};

/**
 * A code is valid for one sign-in, which also invalidates the codes of earlier time steps. A signed-in user may use the
 * same code again to change the second factor. Returns undefined for an invalid code.
 */
export async function redeemTotpCode(
  context: Context,
  deps: MfaDeps,
  attempt: TotpAttempt,
): Promise<UserRow | undefined> {
  const userId = attempt.user.id;
  deps.codeAttempts.count(context, userId);
  const updated = await updateIfValid(deps, attempt);
  if (updated !== undefined) deps.codeAttempts.refund(userId);
  else await deps.audit(context, { kind: 'mfa-refused', userId });
  return updated;
}

async function updateIfValid(
  { db, seal, clock }: Pick<AuthDeps, 'db' | 'seal' | 'clock'>,
  { user, code, change }: TotpAttempt,
): Promise<UserRow | undefined> {
  const step = totpStep(seal.decrypt(user.totp_secret), code, clock.now());
  if (step === undefined) return undefined;
  const update = db
    .updateTable('auth.users')
    .set(change ?? { last_totp_step: step })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret);
  const updateOnce = update.where((either) =>
    either('last_totp_step', 'is', null).or('last_totp_step', '<', String(step)),
  );
  return await (change === undefined ? updateOnce : update).returningAll().executeTakeFirst();
}

export function hasTotpSecret(user: UserRow): user is UserRow & { totp_secret: string } {
  return user.totp_secret !== null;
}
