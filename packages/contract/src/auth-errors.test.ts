import { describe, expect, it } from 'vitest';
import {
  AUTH_ERRORS,
  type AuthErrorCode,
  authError,
  CLIENT_ERRORS,
  type ClientErrorCode,
  clientError,
} from './auth-errors.ts';

describe('authError', () => {
  it.each<[AuthErrorCode, number, string]>([
    ['invalid-request', 400, 'The request payload is incorrect'],
    ['password-too-short', 400, 'Password is too short'],
    ['redirectTo-not-allowed', 400, 'The value of "options.redirectTo" is not allowed.'],
    ['email-already-verified', 400, "User's email is already verified"],
    ['invalid-email-password', 401, 'Incorrect email or password'],
    ['invalid-refresh-token', 401, 'Invalid or expired refresh token'],
    ['disabled-user', 401, 'User is disabled'],
    ['unverified-user', 401, 'User is not verified.'],
    ['unauthorized', 401, 'Missing or invalid access token'],
    ['forbidden-anonymous', 403, 'Forbidden, user is anonymous.'],
    ['user-already-exists', 409, 'User already exists'],
    ['too-many-requests', 429, 'Too many requests, please try again later'],
    ['default-role-must-be-in-allowed-roles', 400, 'Default role must be in allowed roles'],
    ['role-not-allowed', 400, 'Role not allowed'],
    ['user-not-anonymous', 400, 'Logged in user is not anonymous'],
    ['no-totp-secret', 400, 'User does not have a TOTP secret'],
    ['mfa-type-not-found', 400, 'MFA type not found'],
    ['totp-already-active', 400, 'TOTP MFA is already active'],
    ['cannot-send-sms', 400, 'Cannot send SMS, check your phone number is correct'],
    ['invalid-otp', 400, 'Invalid or expired OTP'],
    ['otp-too-many-attempts', 400, 'Too many incorrect attempts, please request a new OTP'],
    ['invalid-pat', 401, 'Invalid or expired personal access token'],
    ['invalid-ticket', 401, 'Invalid ticket'],
    ['disabled-mfa-totp', 401, 'User does not have TOTP MFA enabled'],
    ['invalid-totp', 401, 'Invalid TOTP code'],
    ['invalid-state', 400, 'Invalid state'],
    ['oauth-token-echange-failed', 400, 'Failed to exchange token'],
    ['oauth-profile-fetch-failed', 400, 'Failed to get user profile'],
    ['oauth-provider-error', 400, 'Provider returned an error'],
    ['provider-account-already-linked', 400, 'This provider account is already linked to a user'],
    [
      'setup-code-required',
      403,
      'The first account requires the set-up code that Longshore printed in the terminal',
    ],
    [
      'invalid-setup-code',
      403,
      'Invalid set-up code. Longshore prints the current one in the terminal when it starts',
    ],
    [
      'setup-code-used',
      409,
      'The first account already exists. Reload the page to sign up without a code',
    ],
    ['disabled-endpoint', 409, 'This endpoint is disabled'],
    ['internal-server-error', 500, 'Internal server error'],
  ])('%s has status %i and message “%s”', (code, status, message) => {
    expect(authError(code)).toEqual({ status, error: code, message });
  });

  it('has an HTTP error status in every body, because clients read it there', () => {
    for (const { status } of Object.values(AUTH_ERRORS)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});

describe('clientError', () => {
  it.each<[ClientErrorCode, number, string]>([
    ['invalid-email', 10, 'Email is incorrectly formatted'],
    ['invalid-password', 10, 'Password is incorrectly formatted'],
    ['invalid-phone-number', 10, 'Phone number is incorrectly formatted'],
    ['invalid-mfa-ticket', 10, 'MFA ticket is invalid'],
    ['no-mfa-ticket', 10, 'No MFA ticket has been provided'],
    ['refresher-already-running', 20, 'The token is already being refreshed'],
    ['user-not-anonymous', 20, 'User is not anonymous'],
    ['invalid-sign-in-method', 1, 'Invalid sign-in method'],
    ['no-refresh-token', 10, 'No refresh token has been provided'],
    ['invalid-refresh-token', 10, 'Invalid or expired refresh token'],
    ['already-signed-in', 20, 'User is already signed in'],
    ['unauthenticated-user', 20, 'User is not authenticated'],
    ['unverified-user', 20, 'Email needs verification'],
    ['network', 0, 'Network Error'],
  ])('%s has status %i and message “%s”', (code, status, message) => {
    expect(clientError(code)).toEqual({ status, error: code, message });
  });

  it('uses only the status numbers of the specification', () => {
    const statuses = Object.values(CLIENT_ERRORS).map(({ status }) => status);
    expect([0, 1, 10, 20]).toEqual(expect.arrayContaining(statuses));
  });

  it('returns a new object each time, so that callers cannot change the catalogue', () => {
    clientError('network').message = 'changed';
    expect(clientError('network').message).toBe('Network Error');
  });
});
