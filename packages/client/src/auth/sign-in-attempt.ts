import { type AuthError, clientError, isEmail, PASSWORD_MIN_LENGTH } from '@longshore/contract';
import type { Credentials, SignUpOptions, SignUpRequest } from './credentials.ts';

type PasswordAttempt =
  | ({ kind: 'sign-in-email-password' } & Credentials)
  | ({ kind: 'sign-up-email-password' } & SignUpRequest);

/** Every way into a session but the password; loaded when first used. Spec §4 and §7. */
export type SignInMethod =
  | { kind: 'anonymous' }
  /** Without an email the browser offers the keys it has. */
  | { kind: 'security-key'; securityKey: true; email?: string }
  | { kind: 'sign-up-security-key'; email: string; options?: SignUpOptions; nickname?: string }
  /** The ticket is the one that the password brought, unless another is given. */
  | { kind: 'mfa-totp'; otp: string; ticket?: string }
  | { kind: 'personal-access-token'; personalAccessToken: string }
  | { kind: 'id-token'; provider: string; idToken: string; nonce?: string }
  | { kind: 'passwordless-email'; email: string; options?: SignUpOptions }
  | { kind: 'passwordless-sms'; phoneNumber: string; options?: SignUpOptions }
  | { kind: 'verify-sms-otp'; phoneNumber: string; otp: string }
  | { kind: 'email-otp'; email: string; options?: SignUpOptions }
  | { kind: 'verify-email-otp'; email: string; otp: string };

/** A new method is a new kind here and a case in `askByMethod`. */
export type SignInAttempt = PasswordAttempt | SignInMethod;

export function isByPassword(attempt: SignInAttempt): attempt is PasswordAttempt {
  return 'password' in attempt;
}

/** The actions of spec §4, Registration; their failures are remembered apart. */
export function isRegistration({ kind }: SignInAttempt): boolean {
  return /^sign-up|^passwordless|-otp$/.test(kind);
}

/** What can be refused without asking the server. Spec §5, Authentication client. */
export function passwordProblem({ email, password }: Credentials): AuthError | undefined {
  if (!isEmail(email)) return clientError('invalid-email');
  return isPassword(password) ? undefined : clientError('invalid-password');
}

export function isPassword(password: unknown): boolean {
  return typeof password === 'string' && password.length >= PASSWORD_MIN_LENGTH;
}
