import type { AuthErrorCode } from '@longshore/contract';
import { AuthProblem } from './auth-problem.ts';
import type { AuthSettings } from './deps.ts';
import type { UserRow } from './users.ts';

type State = Pick<
  UserRow,
  | 'disabled'
  | 'email'
  | 'email_verified'
  | 'phone_number'
  | 'phone_number_verified'
  | 'is_anonymous'
>;
type Rules = Pick<AuthSettings, 'requireVerifiedEmail'>;

/** Why a user may have no session, if so. Who has no address is known by a number, or by nothing when anonymous. */
export function signInProblem(user: State, rules: Rules): AuthErrorCode | undefined {
  if (user.disabled) return 'disabled-user';
  return user.is_anonymous || isProven(user, rules) ? undefined : 'unverified-user';
}

/** A number has nothing beside it to sign in with, so it is always proven first. */
function isProven(user: State, { requireVerifiedEmail }: Rules): boolean {
  if (user.email !== null) return user.email_verified || !requireVerifiedEmail;
  return user.phone_number_verified || user.phone_number === null;
}

/** The same as a refusal. */
export function assertCanSignIn(user: State, rules: Rules): void {
  const code = signInProblem(user, rules);
  if (code !== undefined) throw new AuthProblem(code);
}
