import { type AuthError, clientError, isEmail, PASSWORD_MIN_LENGTH } from '@longshore/contract';

export type Credentials = { email: string; password: string };

export type SignUpRequest = Credentials & {
  options?: SignUpOptions;
  /** Needed for the first account of an installation; shown in the server's terminal. */
  setupCode?: string;
  /** The token of an invitation. */
  invitation?: string;
};

export type SignUpOptions = {
  displayName?: string;
  locale?: string;
  allowedRoles?: string[];
  defaultRole?: string;
  metadata?: Record<string, unknown>;
  /** A path is resolved against the page's origin (spec-map 7.2.30). */
  redirectTo?: string;
};

type PasswordAttempt =
  | ({ kind: 'sign-in-email-password' } & Credentials)
  | ({ kind: 'sign-up-email-password' } & SignUpRequest);

/** Every sign-in and sign-up method except the password. Their code is loaded on first use. */
export type SignInMethod =
  | { kind: 'anonymous' }
  /** Without an email the browser lists the keys stored for this site. */
  | { kind: 'security-key'; securityKey: true; email?: string }
  | { kind: 'sign-up-security-key'; email: string; options?: SignUpOptions; nickname?: string }
  /** The default is the ticket that the first step returned, or that was in the URL. */
  | { kind: 'mfa-totp'; otp: string; ticket?: string }
  | { kind: 'personal-access-token'; personalAccessToken: string }
  | { kind: 'id-token'; provider: string; idToken: string; nonce?: string }
  | { kind: 'passwordless-email'; email: string; options?: SignUpOptions }
  | { kind: 'passwordless-sms'; phoneNumber: string; options?: SignUpOptions }
  | { kind: 'verify-sms-otp'; phoneNumber: string; otp: string }
  | { kind: 'email-otp'; email: string; options?: SignUpOptions }
  | { kind: 'verify-email-otp'; email: string; otp: string };

/** A new method needs a kind here and a case in `signInByMethod`. */
export type SignInAttempt = PasswordAttempt | SignInMethod;

export function isPasswordAttempt(attempt: SignInAttempt): attempt is PasswordAttempt {
  return 'password' in attempt;
}

/** Registration actions (spec-map 4.1.26–30); their errors are stored separately. */
export function isRegistration({ kind }: SignInAttempt): boolean {
  return /^sign-up|^passwordless|-otp$/.test(kind);
}

/** Client-side validation (spec-map 5.1.1–2). */
export function credentialsError({ email, password }: Credentials): AuthError | undefined {
  if (!isEmail(email)) return clientError('invalid-email');
  return isPassword(password) ? undefined : clientError('invalid-password');
}

export function isPassword(password: unknown): boolean {
  return typeof password === 'string' && password.length >= PASSWORD_MIN_LENGTH;
}
