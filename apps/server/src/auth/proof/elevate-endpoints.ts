import type { ProofStatus } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { hasTotpSecret, type MfaDeps, redeemCode } from '../mfa/redeem-code.ts';
import type { CodeRecipient } from '../one-time-codes.ts';
import { oneTimeCodeField, passwordField } from '../sign-in-fields.ts';
import type { SessionUser } from '../users.ts';
import { createSecurityKeys } from '../webauthn/security-keys.ts';
import { countsAsProof, type ProofMethod, proofOptions } from './proof-rules.ts';
import { proofProblemOf, requireProvableSession } from './require-fresh-proof.ts';

/** GET /elevate. */
export async function getProofStatus(context: Context, deps: MfaDeps): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  const { user } = current;
  const keys = await createSecurityKeys(deps.db).ofUser(user.id);
  const options = proofOptions({
    hasTotp: user.active_mfa_type === 'totp',
    hasPassword: user.password_hash !== null,
    hasSecurityKey: keys.length > 0,
    hasEmail: user.email !== null,
  });
  const isFresh = proofProblemOf(current, deps.clock) === undefined;
  return context.json({ isFresh, options } satisfies ProofStatus);
}

const PasswordBody = z.object({ password: passwordField });

/** POST /elevate/password. */
export async function elevatePassword(context: Context, deps: MfaDeps): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  const { password } = await jsonBody(context, PasswordBody);
  const { user, session } = current;
  assertAccepted(current, 'password');
  await deps.codeAttempts.count(context, session.id);
  if (!(await deps.passwords.matches(password, user.password_hash))) {
    await refuse(context, deps, current, 'password');
    throw new AuthProblem('incorrect-password');
  }
  await deps.codeAttempts.refund(session.id);
  return await elevate(context, deps, { current, provedBy: 'password' });
}

const CodeBody = z.object({ otp: oneTimeCodeField });

/** POST /elevate/totp with a code of the authenticator app or a recovery code. */
export async function elevateTotp(context: Context, deps: MfaDeps): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  const { otp } = await jsonBody(context, CodeBody);
  const { user, session } = current;
  if (user.active_mfa_type === null) throw new AuthProblem('disabled-mfa-totp');
  if (!hasTotpSecret(user)) throw new AuthProblem('no-totp-secret');
  const redeemed = await redeemCode(context, deps, {
    user,
    code: otp,
    countedFor: session.id,
    acceptsRecoveryCode: true,
  });
  if (redeemed === undefined) throw new AuthProblem('invalid-totp');
  return await elevate(context, deps, { current, provedBy: redeemed.kind });
}

/** POST /elevate/otp/email. Mails a code that is valid in this session only. */
export async function elevateOtpEmail(context: Context, deps: MfaDeps): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  assertAccepted(current, 'email-code');
  const recipient = recipientOf(current);
  const code = await deps.oneTimeCodes.issue(recipient);
  await deps.audit(context, { kind: 'elevation-code-asked', userId: current.user.id });
  await deps.mailer.send({
    to: recipient.to,
    purpose: 'proof-code',
    displayName: current.user.display_name,
    locale: current.user.locale,
    code,
  });
  return context.json('OK');
}

/** POST /elevate/otp/email/verify. */
export async function elevateOtpEmailVerify(context: Context, deps: MfaDeps): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  const { otp } = await jsonBody(context, CodeBody);
  assertAccepted(current, 'email-code');
  await deps.codeAttempts.count(context, current.session.id);
  const verdict = await deps.oneTimeCodes.redeem(recipientOf(current), otp);
  if (verdict !== 'valid') {
    await refuse(context, deps, current, 'email-code');
    throw new AuthProblem(
      verdict === 'too-many-attempts' ? 'otp-too-many-attempts' : 'invalid-otp',
    );
  }
  await deps.codeAttempts.refund(current.session.id);
  return await elevate(context, deps, { current, provedBy: 'email-code' });
}

/** Throws if the account requires a proof that includes its second factor. */
function assertAccepted({ user }: SessionUser, method: ProofMethod): void {
  if (!countsAsProof(method, { hasTotp: user.active_mfa_type === 'totp' }))
    throw new AuthProblem('proof-not-accepted');
}

function recipientOf({ user, session }: SessionUser): CodeRecipient {
  if (user.email === null) throw new AuthProblem('proof-not-accepted');
  return { userId: user.id, channel: 'email', to: user.email, sessionId: session.id };
}

async function refuse(
  context: Context,
  deps: MfaDeps,
  { user }: SessionUser,
  by: ProofMethod,
): Promise<void> {
  await deps.audit(context, { kind: 'elevation-refused', userId: user.id, details: { by } });
}

type Proof = {
  current: SessionUser;
  provedBy: ProofMethod;
  details?: Record<string, string>;
};

/** Records a proof in the caller's session. */
export async function elevate(
  context: Context,
  { refreshTokens, audit, clock }: Pick<AuthDeps, 'refreshTokens' | 'audit' | 'clock'>,
  { current, provedBy, details }: Proof,
): Promise<Response> {
  assertAccepted(current, provedBy);
  const { user, session } = current;
  await refreshTokens.recordProof(session.id, { provedBy, provedAt: new Date(clock.now()) });
  await audit(context, {
    kind: 'elevated',
    userId: user.id,
    details: { by: provedBy, ...details },
  });
  return context.json('OK');
}
