import type { AUTH_PATHS } from '@longshore/contract';

/** What a good request to an endpoint holds. Each field breaks the request when it holds something else. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** None: the body is not read. */
  required?: Record<string, unknown>;
  optional?: Record<string, unknown>;
  /** Browsers come here, so they are sent on with an error in the address. */
  isVisited?: true;
  /** Answers everybody. */
  isOpen?: true;
};

const email = 'ada@example.com';
const codeChallenge = 'a'.repeat(43);
const redirectTo = 'http://localhost:1337/somewhere';
const metadata = { a: 1 };
const profile = { displayName: 'Ada', locale: 'de', metadata };
const options = { ...profile, allowedRoles: ['user'], defaultRole: 'user', redirectTo };
const phoneNumber = '+4915112345678';
const password = 'correct horse';
const idToken = { provider: 'google', idToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' };
const response = { clientDataJSON: 'e30', attestationObject: 'oA' };
const signed = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' };
const key = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const newKey = { ...key, response };
const knownKey = { ...key, response: signed };

const byLink: Endpoint = {
  method: 'POST',
  required: { email },
  optional: { options, codeChallenge },
};
const byCode: Endpoint = { method: 'POST', required: { email }, optional: { options } };
const byText: Endpoint = { method: 'POST', required: { phoneNumber }, optional: { options } };
const linkOnly: Endpoint = {
  method: 'POST',
  required: { email },
  optional: { options: { redirectTo }, codeChallenge },
};
const byIdToken: Endpoint = {
  method: 'POST',
  required: idToken,
  optional: { nonce: 'n', options },
};
const own: Endpoint = { method: 'GET' };
const visited: Endpoint = { method: 'GET', isVisited: true };
const open: Endpoint = { method: 'GET', isOpen: true };

/** A new path does not compile until it is said what a good request to it is. */
export const ENDPOINTS: Record<keyof typeof AUTH_PATHS, Endpoint> = {
  signUpEmailPassword: {
    method: 'POST',
    required: { email, password },
    optional: { options, codeChallenge, setupCode: 'ABCD-EFGH-JKLM' },
  },
  signInEmailPassword: { method: 'POST', required: { email, password } },
  signUpWebauthn: byCode,
  signUpWebauthnVerify: {
    method: 'POST',
    required: { credential: newKey },
    optional: { options, nickname: 'key', codeChallenge },
  },
  signInWebauthn: { method: 'POST', optional: { email } },
  signInWebauthnVerify: {
    method: 'POST',
    required: { credential: knownKey },
    optional: { email },
  },
  addSecurityKey: { method: 'POST' },
  addSecurityKeyVerify: {
    method: 'POST',
    required: { credential: newKey },
    optional: { nickname: 'key' },
  },
  elevateWebauthn: { method: 'POST' },
  elevateWebauthnVerify: { method: 'POST', required: { credential: knownKey } },
  securityKeys: own,
  securityKey: { method: 'DELETE' },
  signInAnonymous: { method: 'POST', optional: profile },
  deanonymize: {
    method: 'POST',
    required: { signInMethod: 'email-password', email, password },
    optional: { options, codeChallenge },
  },
  createPat: {
    method: 'POST',
    required: { expiresAt: '2099-01-01T00:00:00Z' },
    optional: { metadata },
  },
  pats: own,
  pat: { method: 'DELETE' },
  signInPat: { method: 'POST', required: { personalAccessToken: codeChallenge } },
  generateTotp: own,
  changeMfa: { method: 'POST', required: { code: '123456' }, optional: { activeMfaType: 'totp' } },
  signInMfaTotp: { method: 'POST', required: { ticket: 'mfaTotp:1', otp: '123456' } },
  signInOtpEmail: byCode,
  signUpOtpEmail: byCode,
  signInOtpEmailVerify: { method: 'POST', required: { email, otp: '123456' } },
  signInPasswordlessSms: byText,
  signUpPasswordlessSms: byText,
  signInPasswordlessSmsOtp: { method: 'POST', required: { phoneNumber, otp: '123456' } },
  signInPasswordlessEmail: byLink,
  signUpPasswordlessEmail: byLink,
  verify: visited,
  changePassword: {
    method: 'POST',
    required: { newPassword: password },
    optional: { ticket: 'passwordReset:1' },
  },
  resetPassword: linkOnly,
  changeEmail: {
    method: 'POST',
    required: { newEmail: email },
    optional: { options: { redirectTo }, codeChallenge },
  },
  sendVerificationEmail: linkOnly,
  signInProvider: visited,
  signUpProvider: visited,
  signInProviderCallback: visited,
  providerTokens: own,
  refreshProviderTokens: { method: 'POST', required: { refreshToken: 'r' } },
  signInIdToken: byIdToken,
  signUpIdToken: byIdToken,
  linkIdToken: { method: 'POST', required: idToken, optional: { nonce: 'n' } },
  token: { method: 'POST', required: { refreshToken: 'r' } },
  verifyToken: { method: 'POST', optional: { token: 't' } },
  tokenExchange: {
    method: 'POST',
    required: { code: 'c', codeVerifier: codeChallenge },
  },
  signOut: { method: 'POST', optional: { refreshToken: 'r', all: false } },
  user: own,
  sessions: own,
  session: { method: 'DELETE' },
  events: own,
  jwks: open,
  health: open,
  version: open,
};
