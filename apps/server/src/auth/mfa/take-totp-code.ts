import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import { totpStep } from './totp.ts';

export type TakenCode = {
  user: UserRow & { totp_secret: string };
  code: string;
  /** What the code allows. */
  change?: { active_mfa_type: 'totp' } | { active_mfa_type: null; totp_secret: null };
};

/** A code is good once: its time step and those before it are spent with it. Answers nothing for any other. */
export async function takeTotpCode(
  { db, seal, clock }: Pick<AuthDeps, 'db' | 'seal' | 'clock'>,
  { user, code, change }: TakenCode,
): Promise<UserRow | undefined> {
  const step = totpStep(seal.open(user.totp_secret), code, clock.now());
  if (step === undefined) return undefined;
  return await db
    .updateTable('auth.users')
    .set({ last_totp_step: step, ...change })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret)
    .where((either) => either('last_totp_step', 'is', null).or('last_totp_step', '<', String(step)))
    .returningAll()
    .executeTakeFirst();
}

export function hasTotpSecret(user: UserRow): user is UserRow & { totp_secret: string } {
  return user.totp_secret !== null;
}
