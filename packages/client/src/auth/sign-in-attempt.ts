import { type AuthError, clientError, isEmail, PASSWORD_MIN_LENGTH } from '@longshore/contract';
import type { Credentials, SignUpOptions } from './auth.ts';

/** Every way into a session; a new method is a new kind here and a case in `authenticate`. */
export type SignInAttempt =
  | ({ kind: 'sign-in-email-password' } & Credentials)
  | ({ kind: 'sign-up-email-password'; options?: SignUpOptions } & Credentials);

/** What can be refused without asking the server. Spec §5, Authentication client. */
export function attemptProblem({ email, password }: SignInAttempt): AuthError | undefined {
  if (!isEmail(email)) return clientError('invalid-email');
  return isPassword(password) ? undefined : clientError('invalid-password');
}

function isPassword(password: unknown): boolean {
  return typeof password === 'string' && password.length >= PASSWORD_MIN_LENGTH;
}
