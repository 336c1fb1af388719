import type { AuthErrorCode } from '@longshore/contract';
import type { ProofMethod } from './proof/proof-rules.ts';
import { signInProblem } from './sign-in-problem.ts';
import type { UserRow } from './users.ts';

/** `method`: recorded with the session, as the user's last proof of identity. */
type Way = { factors: 'one' | 'two' | 'exempt'; method: ProofMethod };

const REDIRECT = { factors: 'one', method: 'redirect' } as const;

/**
 * Every way to open a session, and how many factors it proves. A mailed code, a link or a provider account proves one
 * factor, like the password: somebody who reads the user's mail has all of them.
 */
export const SIGN_IN_WAYS = {
  'sign-up': { factors: 'one', method: 'sign-up' },
  anonymous: { factors: 'one', method: 'anonymous' },
  deanonymize: { factors: 'one', method: 'sign-up' },
  password: { factors: 'one', method: 'password' },
  'email-code': { factors: 'one', method: 'email-code' },
  'sms-code': { factors: 'one', method: 'sms-code' },
  'id-token': { factors: 'one', method: 'provider' },
  provider: REDIRECT,
  verifyEmail: REDIRECT,
  passwordlessEmail: REDIRECT,
  passwordReset: REDIRECT,
  emailConfirmChange: REDIRECT,
  'code-exchange': REDIRECT,
  /** Without user verification: possession of the key is enough. */
  'security-key': { factors: 'one', method: 'security-key' },
  /** With user verification: the key checked a PIN or a fingerprint. */
  'verified-security-key': { factors: 'two', method: 'verified-security-key' },
  /** These two follow one of the ways above. */
  totp: { factors: 'two', method: 'totp' },
  'recovery-code': { factors: 'two', method: 'recovery-code' },
  /** With a security key, in a session that the user cannot have without the second factor. */
  elevation: { factors: 'two', method: 'security-key' },
  'verified-elevation': { factors: 'two', method: 'verified-security-key' },
  /** For scripts. Its user created it in a session. */
  'personal-access-token': { factors: 'exempt', method: 'personal-access-token' },
} as const satisfies Record<string, Way>;

export type SignInWay = keyof typeof SIGN_IN_WAYS;

type UserState = Parameters<typeof signInProblem>[0] & Pick<UserRow, 'active_mfa_type'>;

export type SignInDecision =
  | { kind: 'admitted' }
  | { kind: 'second-factor' }
  | { kind: 'refused'; code: AuthErrorCode };

/** Whether a user who signs in by this way gets a session. */
export function decideSignIn(
  way: SignInWay,
  user: UserState,
  settings: { requireVerifiedEmail: boolean },
): SignInDecision {
  const code = signInProblem(user, settings);
  if (code !== undefined) return { kind: 'refused', code };
  return { kind: needsSecondFactor(way, user) ? 'second-factor' : 'admitted' };
}

export function needsSecondFactor(way: SignInWay, user: Pick<UserRow, 'active_mfa_type'>): boolean {
  return user.active_mfa_type !== null && SIGN_IN_WAYS[way].factors === 'one';
}
