import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import type { CodeGuesses } from './code-attempts.ts';
import { totpStep } from './totp.ts';

export type MfaDeps = AuthDeps & { guesses: CodeGuesses };

export type TakenCode = {
  user: UserRow & { totp_secret: string };
  code: string;
  /** What the code allows. */
  change?:
    | { active_mfa_type: 'totp'; last_totp_step: null }
    | { active_mfa_type: null; totp_secret: null };
};

/**
 * A code signs in once: its time step and those before it are spent with it. To change the second factor itself, the
 * owner may show the same code again, being signed in already. Answers nothing for a code that is not good.
 */
export async function redeemTotpCode(
  context: Context,
  deps: MfaDeps,
  taken: TakenCode,
): Promise<UserRow | undefined> {
  const userId = taken.user.id;
  deps.guesses.count(context, userId);
  const changed = await changedByCode(deps, taken);
  if (changed !== undefined) deps.guesses.forgive(userId);
  else await deps.audit(context, { kind: 'mfa-refused', userId });
  return changed;
}

async function changedByCode(
  { db, seal, clock }: Pick<AuthDeps, 'db' | 'seal' | 'clock'>,
  { user, code, change }: TakenCode,
): Promise<UserRow | undefined> {
  const step = totpStep(seal.open(user.totp_secret), code, clock.now());
  if (step === undefined) return undefined;
  const taken = db
    .updateTable('auth.users')
    .set(change ?? { last_totp_step: step })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret);
  const once = taken.where((either) =>
    either('last_totp_step', 'is', null).or('last_totp_step', '<', String(step)),
  );
  return await (change === undefined ? once : taken).returningAll().executeTakeFirst();
}

export function hasTotpSecret(user: UserRow): user is UserRow & { totp_secret: string } {
  return user.totp_secret !== null;
}
