import type { Context } from 'hono';
import { sql } from 'kysely';
import { Secret } from '../../secrets/secret.ts';
import type { AuthDeps } from '../deps.ts';
import type { UserRow } from '../users.ts';
import type { CodeAttempts } from './code-attempts.ts';
import { totpStep } from './totp.ts';

export type MfaDeps = AuthDeps & { codeAttempts: CodeAttempts };

export type CodeAttempt = {
  user: UserRow & { totp_secret: string };
  code: string;
  /** The user of a sign-in, or the session of a signed-in user: its wrong codes must not prevent sign-ins. */
  countedFor: string;
  acceptsRecoveryCode: boolean;
  /** The change of the second factor that a valid code authorizes. Undefined for a sign-in. */
  change?:
    | { active_mfa_type: 'totp'; last_totp_step: null; recovery_code_hashes: [] }
    | { active_mfa_type: null; totp_secret: null; recovery_code_hashes: [] }
    | { recovery_code_hashes: Buffer[] };
};

/** `left`: the number of recovery codes that are still unused. */
export type RedeemedCode = { kind: 'totp' } | { kind: 'recovery-code'; left: number };

/**
 * Redeems the code of an authenticator app or a recovery code. Both are counted as attempts, and each is valid for one
 * sign-in. Returns undefined for an invalid code.
 */
export async function redeemCode(
  context: Context,
  deps: MfaDeps,
  attempt: CodeAttempt,
): Promise<RedeemedCode | undefined> {
  const userId = attempt.user.id;
  await deps.codeAttempts.count(context, attempt.countedFor);
  const recoveryHash = attempt.acceptsRecoveryCode
    ? deps.recoveryCodes.hashOf(userId, new Secret(attempt.code))
    : undefined;
  const redeemed =
    recoveryHash === undefined
      ? await redeemTotpCode(deps, attempt)
      : await redeemRecoveryCode(deps, attempt, recoveryHash);
  if (redeemed !== undefined) await deps.codeAttempts.refund(attempt.countedFor);
  else await deps.audit(context, { kind: 'mfa-refused', userId });
  return redeemed;
}

/**
 * A sign-in also invalidates the codes of earlier time steps. A signed-in user may use the same code again to change the
 * second factor.
 */
async function redeemTotpCode(
  { db, seal, clock }: Pick<AuthDeps, 'db' | 'seal' | 'clock'>,
  { user, code, change }: CodeAttempt,
): Promise<RedeemedCode | undefined> {
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
  const updated = await (change === undefined ? updateOnce : update)
    .returning('id')
    .executeTakeFirst();
  return updated && { kind: 'totp' };
}

/** One statement finds and removes the hash, so that only one of several simultaneous attempts succeeds. */
async function redeemRecoveryCode(
  { db }: Pick<AuthDeps, 'db'>,
  { user, change }: CodeAttempt,
  hash: Buffer,
): Promise<RedeemedCode | undefined> {
  const withoutCode = sql<Buffer[]>`array_remove(recovery_code_hashes, ${hash}::bytea)`;
  const updated = await db
    .updateTable('auth.users')
    .set(change ?? { recovery_code_hashes: withoutCode })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret)
    .where(sql<boolean>`${hash}::bytea = any(recovery_code_hashes)`)
    .returning(sql<number>`cardinality(recovery_code_hashes)`.as('left'))
    .executeTakeFirst();
  return updated && { kind: 'recovery-code', left: updated.left };
}

export function hasTotpSecret(user: UserRow): user is UserRow & { totp_secret: string } {
  return user.totp_secret !== null;
}
