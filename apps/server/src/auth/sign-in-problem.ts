import type { AuthErrorCode } from '@longshore/contract';
import { AuthProblem } from './auth-problem.ts';
import type { UserRow } from './users.ts';

type UserState = Pick<
  UserRow,
  | 'disabled'
  | 'email'
  | 'email_verified'
  | 'phone_number'
  | 'phone_number_verified'
  | 'is_anonymous'
  | 'must_verify_email'
>;
type VerificationSettings = { requireVerifiedEmail: boolean };

/** The reason why a user may not sign in. Undefined if they may. */
export function signInProblem(
  user: UserState,
  settings: VerificationSettings,
): AuthErrorCode | undefined {
  if (user.disabled) return 'disabled-user';
  return user.is_anonymous || isVerified(user, settings) ? undefined : 'unverified-user';
}

/** The address of some accounts must be verified even where others need not verify theirs. */
export function mustVerifyEmail(
  user: Pick<UserRow, 'must_verify_email'>,
  { requireVerifiedEmail }: VerificationSettings,
): boolean {
  return requireVerifiedEmail || user.must_verify_email;
}

/** A phone number must always be verified: its user has no other way to sign in. */
function isVerified(user: UserState, settings: VerificationSettings): boolean {
  if (user.email !== null) return user.email_verified || !mustVerifyEmail(user, settings);
  return user.phone_number_verified || user.phone_number === null;
}

/** Throws the sign-in problem of a user, if there is one. */
export function assertCanSignIn(user: UserState, settings: VerificationSettings): void {
  const code = signInProblem(user, settings);
  if (code !== undefined) throw new AuthProblem(code);
}
