import type { AuthErrorCode } from '@longshore/contract';
import { AuthProblem } from './auth-problem.ts';
import type { AuthSettings } from './deps.ts';
import type { UserRow } from './users.ts';

type State = Pick<UserRow, 'disabled' | 'email' | 'email_verified' | 'is_anonymous'>;
type Rules = Pick<AuthSettings, 'requireVerifiedEmail'>;

/** Why a user may have no session, if so. Who has no address (anonymous, phone only) has none to verify. */
export function stateProblem(user: State, rules: Rules): AuthErrorCode | undefined {
  if (user.disabled) return 'disabled-user';
  const mustVerify = rules.requireVerifiedEmail && user.email !== null && !user.is_anonymous;
  return mustVerify && !user.email_verified ? 'unverified-user' : undefined;
}

/** The same as a refusal. */
export function refuseByState(user: State, rules: Rules): void {
  const code = stateProblem(user, rules);
  if (code !== undefined) throw new AuthProblem(code);
}
