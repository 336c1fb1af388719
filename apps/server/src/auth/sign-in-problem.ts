import type { AuthErrorCode } from '@longshore/contract';
import { AuthProblem } from './auth-problem.ts';
import type { AuthSettings } from './deps.ts';
import type { UserRow } from './users.ts';

type UserState = Pick<
  UserRow,
  | 'disabled'
  | 'email'
  | 'email_verified'
  | 'phone_number'
  | 'phone_number_verified'
  | 'is_anonymous'
>;
type VerificationSettings = Pick<AuthSettings, 'requireVerifiedEmail'>;

/** The reason why a user may not sign in. Undefined if they may. */
export function signInProblem(
  user: UserState,
  settings: VerificationSettings,
): AuthErrorCode | undefined {
  if (user.disabled) return 'disabled-user';
  return user.is_anonymous || isVerified(user, settings) ? undefined : 'unverified-user';
}

/** A phone number must always be verified: its user has no other way to sign in. */
function isVerified(user: UserState, { requireVerifiedEmail }: VerificationSettings): boolean {
  if (user.email !== null) return user.email_verified || !requireVerifiedEmail;
  return user.phone_number_verified || user.phone_number === null;
}

/** Throws the sign-in problem of a user, if there is one. */
export function assertCanSignIn(user: UserState, settings: VerificationSettings): void {
  const code = signInProblem(user, settings);
  if (code !== undefined) throw new AuthProblem(code);
}
