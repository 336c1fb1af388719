import type { NewRecoveryCodes, RecoveryCodesLeft, TotpSecret } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { type SignIn, signInResponse } from '../sessions.ts';
import { verifiedUser } from '../sign-in-effects.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import type { SignInWay } from '../sign-in-ways.ts';
import { hasTotpSecret, type MfaDeps, type RedeemedCode, redeemCode } from './redeem-code.ts';
import { newTotpSecret, totpUri } from './totp.ts';

const IMAGE_WIDTH_PX = 200;

/** GET /mfa/totp/generate. The secret has no effect until the user activates it with a code. */
export async function generateTotp(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const secret = newTotpSecret();
  const stored = await deps.db
    .updateTable('auth.users')
    .set({ totp_secret: deps.seal.encrypt(secret), last_totp_step: null })
    .where('id', '=', user.id)
    .where('active_mfa_type', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) throw new AuthProblem('totp-already-active');
  const { toDataURL } = await import('qrcode');
  const uri = totpUri(secret, user.email ?? user.phone_number ?? user.id);
  return context.json({
    imageUrl: await toDataURL(uri, { type: 'image/png', width: IMAGE_WIDTH_PX, margin: 1 }),
    totpSecret: secret.reveal(),
  } satisfies TotpSecret);
}

const ChangeBody = z.object({ code: z.string(), activeMfaType: z.string().nullish() });

/**
 * POST /user/mfa. Type "totp" activates, no type deactivates. Both require a code. Users who lost their device deactivate
 * with a recovery code. Activation ends the other sessions, except those of personal access tokens.
 */
export async function changeMfa(context: Context, deps: MfaDeps): Promise<Response> {
  const { user, session } = await requireFreshProof(context, deps);
  const { code, activeMfaType } = await jsonBody(context, ChangeBody);
  if (activeMfaType && activeMfaType !== 'totp') throw new AuthProblem('mfa-type-not-found');
  const isActivation = activeMfaType === 'totp';
  if (isActivation && user.active_mfa_type === 'totp') throw new AuthProblem('totp-already-active');
  if (!isActivation && user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  const redeemed = await redeemCode(context, deps, {
    user,
    code,
    countedFor: session.id,
    acceptsRecoveryCode: !isActivation,
    change: isActivation
      ? { active_mfa_type: 'totp', last_totp_step: null, recovery_code_hashes: [] }
      : { active_mfa_type: null, totp_secret: null, recovery_code_hashes: [] },
  });
  if (redeemed === undefined) throw new AuthProblem('invalid-totp');
  // The other sessions were opened without the second factor.
  if (isActivation) await deps.refreshTokens.revokeOtherSignIns(user.id, session.id);
  const provedAt = new Date(deps.clock.now());
  await deps.refreshTokens.recordProof(session.id, { provedBy: redeemed.kind, provedAt });
  await deps.audit(context, {
    kind: isActivation ? 'mfa-activated' : 'mfa-deactivated',
    userId: user.id,
    ...(redeemed.kind === 'recovery-code' ? { details: { by: 'recovery-code' } } : {}),
  });
  return context.json('OK');
}

const GenerateRecoveryCodesBody = z.object({ code: z.string() });

/**
 * POST /mfa/recovery-codes/generate. Replaces all recovery codes. Requires a code of the authenticator app: one recovery
 * code must not become ten.
 */
export async function generateRecoveryCodes(context: Context, deps: MfaDeps): Promise<Response> {
  const { user, session } = await requireFreshProof(context, deps);
  const { code } = await jsonBody(context, GenerateRecoveryCodesBody);
  if (user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  const { codes, hashes } = deps.recoveryCodes.generate(user.id);
  const change = { recovery_code_hashes: hashes };
  const attempt = { user, code, countedFor: session.id, acceptsRecoveryCode: false, change };
  if ((await redeemCode(context, deps, attempt)) === undefined)
    throw new AuthProblem('invalid-totp');
  await deps.audit(context, { kind: 'recovery-codes-created', userId: user.id });
  return context.json({
    recoveryCodes: codes.map((recoveryCode) => recoveryCode.reveal()),
  } satisfies NewRecoveryCodes);
}

/** GET /mfa/recovery-codes: how many of the caller's recovery codes are unused. */
export async function countRecoveryCodes(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  return context.json({ left: user.recovery_code_hashes.length } satisfies RecoveryCodesLeft);
}

/** Tickets of other purposes are not redeemed here. */
const MFA_TICKET = /^mfaTotp:/;

const SignInBody = z.object({ ticket: z.string(), otp: z.string() });

/**
 * POST /signin/mfa/totp with a code of the authenticator app or a recovery code. The first attempt redeems the ticket,
 * whether the code is valid or not.
 */
export async function signInMfaTotp(context: Context, deps: MfaDeps): Promise<Response> {
  const { ticket, otp } = await jsonBody(context, SignInBody);
  const redeemedTicket = MFA_TICKET.test(ticket) ? await deps.tickets.redeem(ticket) : undefined;
  const user = redeemedTicket && (await deps.users.findById(redeemedTicket.userId));
  if (user === undefined) throw new AuthProblem('invalid-ticket');
  const { way, effects } = redeemedTicket?.signIn ?? { way: 'password', effects: {} };
  assertCanSignIn(verifiedUser(user, effects), deps.settings);
  if (user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  const redeemed = await redeemCode(context, deps, {
    user,
    code: otp,
    countedFor: user.id,
    acceptsRecoveryCode: true,
  });
  if (redeemed === undefined) throw new AuthProblem('invalid-totp');
  const event = signInEvent(redeemed, way);
  const opened = await deps.sessions.open(context, { user, way: redeemed.kind, effects, event });
  return signInResponse(context, opened);
}

function signInEvent(redeemed: RedeemedCode, by: SignInWay): SignIn['event'] {
  return redeemed.kind === 'totp'
    ? { kind: 'signed-in', details: { by } }
    : { kind: 'signed-in-with-recovery-code', details: { by, left: String(redeemed.left) } };
}
