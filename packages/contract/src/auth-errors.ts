/** Error object of the auth service and the client (spec-map 3.12). */
export type AuthError = { status: number; error: string; message: string };

/** Errors of the auth service. Status and message match those of nhost's auth service, except for our own. */
export const AUTH_ERRORS = {
  'invalid-request': { status: 400, message: 'The request payload is incorrect' },
  'password-too-short': { status: 400, message: 'Password is too short' },
  'redirectTo-not-allowed': {
    status: 400,
    message: 'The value of "options.redirectTo" is not allowed.',
  },
  'email-already-verified': { status: 400, message: "User's email is already verified" },
  'invalid-email-password': { status: 401, message: 'Incorrect email or password' },
  'invalid-refresh-token': { status: 401, message: 'Invalid or expired refresh token' },
  'disabled-user': { status: 401, message: 'User is disabled' },
  'unverified-user': { status: 401, message: 'User is not verified.' },
  unauthorized: { status: 401, message: 'Missing or invalid access token' },
  'forbidden-anonymous': { status: 403, message: 'Forbidden, user is anonymous.' },
  'reauthentication-required': {
    status: 403,
    message: 'Confirm your identity, or sign in again, to make this change',
  },
  'forbidden-personal-access-token': {
    status: 403,
    message: 'A session of a personal access token cannot do this. Sign in another way',
  },
  'proof-not-accepted': {
    status: 403,
    message: 'This account requires another proof of identity',
  },
  'incorrect-password': { status: 401, message: 'Incorrect password' },
  'user-already-exists': { status: 409, message: 'User already exists' },
  'too-many-requests': { status: 429, message: 'Too many requests, please try again later' },
  'default-role-must-be-in-allowed-roles': {
    status: 400,
    message: 'Default role must be in allowed roles',
  },
  'role-not-allowed': { status: 400, message: 'Role not allowed' },
  'user-not-anonymous': { status: 400, message: 'Logged in user is not anonymous' },
  'no-totp-secret': { status: 400, message: 'User does not have a TOTP secret' },
  'mfa-type-not-found': { status: 400, message: 'MFA type not found' },
  'totp-already-active': { status: 400, message: 'TOTP MFA is already active' },
  'cannot-send-sms': {
    status: 400,
    message: 'Cannot send SMS, check your phone number is correct',
  },
  'invalid-otp': { status: 400, message: 'Invalid or expired OTP' },
  'otp-too-many-attempts': {
    status: 400,
    message: 'Too many incorrect attempts, please request a new OTP',
  },
  'invalid-pat': { status: 401, message: 'Invalid or expired personal access token' },
  'invalid-ticket': { status: 401, message: 'Invalid ticket' },
  'disabled-mfa-totp': { status: 401, message: 'User does not have TOTP MFA enabled' },
  'invalid-totp': { status: 401, message: 'Invalid TOTP code' },
  'mfa-required': {
    status: 403,
    message: 'Enter a code of your authenticator app to continue',
  },
  'invalid-state': { status: 400, message: 'Invalid state' },
  'oauth-token-echange-failed': { status: 400, message: 'Failed to exchange token' },
  'oauth-profile-fetch-failed': { status: 400, message: 'Failed to get user profile' },
  'oauth-provider-error': { status: 400, message: 'Provider returned an error' },
  'provider-account-already-linked': {
    status: 400,
    message: 'This provider account is already linked to a user',
  },
  'setup-code-required': {
    status: 403,
    message: 'The first account requires the set-up code that Longshore printed in the terminal',
  },
  'invalid-setup-code': {
    status: 403,
    message: 'Invalid set-up code. Longshore prints the current one in the terminal when it starts',
  },
  'setup-code-used': {
    status: 409,
    message: 'The first account already exists. Reload the page to sign up without a code',
  },
  'signup-disabled': { status: 403, message: 'Sign up is disabled.' },
  'invalid-invitation': {
    status: 403,
    message:
      'The invitation is for another email address, or was used, revoked or expired. Ask for a new one',
  },
  'disabled-endpoint': { status: 409, message: 'This endpoint is disabled' },
  'internal-server-error': { status: 500, message: 'Internal server error' },
} as const satisfies Record<string, { status: number; message: string }>;

export type AuthErrorCode = keyof typeof AUTH_ERRORS;

/** Errors of the client itself. Status: 0 network, 1 generic, 10 client validation, 20 client state (spec-map 8.1). */
export const CLIENT_ERRORS = {
  'invalid-email': { status: 10, message: 'Email is incorrectly formatted' },
  'invalid-password': { status: 10, message: 'Password is incorrectly formatted' },
  'invalid-phone-number': { status: 10, message: 'Phone number is incorrectly formatted' },
  'invalid-mfa-ticket': { status: 10, message: 'MFA ticket is invalid' },
  'no-mfa-ticket': { status: 10, message: 'No MFA ticket has been provided' },
  'no-refresh-token': { status: 10, message: 'No refresh token has been provided' },
  'refresher-already-running': { status: 20, message: 'The token is already being refreshed' },
  'already-signed-in': { status: 20, message: 'User is already signed in' },
  'unauthenticated-user': { status: 20, message: 'User is not authenticated' },
  'user-not-anonymous': { status: 20, message: 'User is not anonymous' },
  'unverified-user': { status: 20, message: 'Email needs verification' },
  'invalid-refresh-token': { status: 10, message: 'Invalid or expired refresh token' },
  'invalid-sign-in-method': { status: 1, message: 'Invalid sign-in method' },
  network: { status: 0, message: 'Network Error' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ClientErrorCode = keyof typeof CLIENT_ERRORS;

export function authError(code: AuthErrorCode): AuthError {
  return { ...AUTH_ERRORS[code], error: code };
}

export function clientError(code: ClientErrorCode): AuthError {
  return { ...CLIENT_ERRORS[code], error: code };
}
