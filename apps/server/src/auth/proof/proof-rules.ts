import type { ProofOption } from '@longshore/contract';

/** How a user signed in, or proved their identity later in the session. */
export type ProofMethod =
  | 'password'
  | 'email-code'
  | 'sms-code'
  /** An ID token of a provider. */
  | 'provider'
  /** The redirect of a mailed link or of a provider. */
  | 'redirect'
  /** Without user verification: possession of the key is enough. */
  | 'security-key'
  /** With user verification: the key checked a PIN or a fingerprint. */
  | 'verified-security-key'
  | 'totp'
  | 'recovery-code'
  | 'sign-up'
  | 'anonymous'
  | 'personal-access-token';

/**
 * For which accounts a proof authorizes sensitive changes. With an authenticator app, only proofs that include a second
 * factor count: a mailbox or a password together with a stolen session must not be enough to turn the app off.
 */
const COUNTS_FOR: Record<ProofMethod, 'every-account' | 'accounts-without-totp' | 'no-account'> = {
  'verified-security-key': 'every-account',
  totp: 'every-account',
  'recovery-code': 'every-account',
  password: 'accounts-without-totp',
  'email-code': 'accounts-without-totp',
  'sms-code': 'accounts-without-totp',
  provider: 'accounts-without-totp',
  redirect: 'accounts-without-totp',
  'security-key': 'accounts-without-totp',
  'sign-up': 'accounts-without-totp',
  anonymous: 'no-account',
  'personal-access-token': 'no-account',
};

export function countsAsProof(method: ProofMethod, { hasTotp }: { hasTotp: boolean }): boolean {
  const accounts = COUNTS_FOR[method];
  return accounts === 'every-account' || (accounts === 'accounts-without-totp' && !hasTotp);
}

export const PROOF_LIFETIME_MS = 10 * 60_000;

/** A proof from the future is not accepted, unless the clock was corrected slightly. */
const CLOCK_CORRECTION_MS = 60_000;

/** The last proof in a session. Null if the session is older than the records of proofs. */
export type SessionProof = {
  provedAt: Date | null;
  provedBy: ProofMethod | null;
  /** Programs have such sessions; they never authorize sensitive changes. */
  isFromPersonalAccessToken: boolean;
};

export type ProofProblem = 'reauthentication-required' | 'forbidden-personal-access-token';

/** Why a session does not authorize a sensitive change now. Undefined if it does. */
export function proofProblem(
  { provedAt, provedBy, isFromPersonalAccessToken }: SessionProof,
  { hasTotp, now }: { hasTotp: boolean; now: number },
): ProofProblem | undefined {
  if (isFromPersonalAccessToken) return 'forbidden-personal-access-token';
  if (provedAt === null || provedBy === null) return 'reauthentication-required';
  const ageMs = now - provedAt.getTime();
  const isRecent = ageMs <= PROOF_LIFETIME_MS && ageMs >= -CLOCK_CORRECTION_MS;
  return isRecent && countsAsProof(provedBy, { hasTotp }) ? undefined : 'reauthentication-required';
}

export type ProvableAccount = {
  hasTotp: boolean;
  hasPassword: boolean;
  hasSecurityKey: boolean;
  hasEmail: boolean;
};

/** What the user of a session can prove their identity with, most convenient first. */
export function proofOptions(account: ProvableAccount): ProofOption[] {
  const { hasTotp, hasPassword, hasSecurityKey, hasEmail } = account;
  const securityKey: ProofOption[] = hasSecurityKey ? ['security-key'] : [];
  if (hasTotp) return ['totp', ...securityKey];
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...securityKey,
    ...(hasEmail ? (['email-code'] as const) : []),
  ];
}
