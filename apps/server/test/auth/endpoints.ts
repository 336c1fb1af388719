import type { AUTH_PATHS } from '@longshore/contract';

/** A valid request to an endpoint. `invalid-request.ts` derives invalid requests from it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** If `required` and `optional` are both absent, the endpoint reads no body. */
  required?: Record<string, unknown>;
  optional?: Record<string, unknown>;
  /** Opened by browsers, so errors are redirects. */
  isForBrowsers?: true;
  /** Responds to every caller with success. */
  isPublic?: true;
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
const attestation = { clientDataJSON: 'e30', attestationObject: 'oA' };
const assertion = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' };
const key = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const newKey = { ...key, response: attestation };
const registeredKey = { ...key, response: assertion };

const byLink: Endpoint = {
  method: 'POST',
  required: { email },
  optional: { options, codeChallenge },
};
const byCode: Endpoint = { method: 'POST', required: { email }, optional: { options } };
const bySms: Endpoint = { method: 'POST', required: { phoneNumber }, optional: { options } };
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
const forCaller: Endpoint = { method: 'GET' };
const forBrowsers: Endpoint = { method: 'GET', isForBrowsers: true };
const publicEndpoint: Endpoint = { method: 'GET', isPublic: true };

/** A path without an entry is a compile error. */
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
    required: { credential: registeredKey },
    optional: { email },
  },
  addSecurityKey: { method: 'POST' },
  addSecurityKeyVerify: {
    method: 'POST',
    required: { credential: newKey },
    optional: { nickname: 'key' },
  },
  elevateWebauthn: { method: 'POST' },
  elevateWebauthnVerify: {
    method: 'POST',
    required: { credential: registeredKey },
    optional: { keepSession: true },
  },
  proofStatus: forCaller,
  elevatePassword: { method: 'POST', required: { password } },
  elevateTotp: { method: 'POST', required: { otp: '123456' } },
  elevateOtpEmail: { method: 'POST' },
  elevateOtpEmailVerify: { method: 'POST', required: { otp: '123456' } },
  securityKeys: forCaller,
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
  pats: forCaller,
  pat: { method: 'DELETE' },
  signInPat: { method: 'POST', required: { personalAccessToken: codeChallenge } },
  generateTotp: forCaller,
  changeMfa: { method: 'POST', required: { code: '123456' }, optional: { activeMfaType: 'totp' } },
  signInMfaTotp: { method: 'POST', required: { ticket: 'mfaTotp:1', otp: '123456' } },
  recoveryCodes: forCaller,
  generateRecoveryCodes: { method: 'POST', required: { code: '123456' } },
  signInOtpEmail: byCode,
  signUpOtpEmail: byCode,
  signInOtpEmailVerify: { method: 'POST', required: { email, otp: '123456' } },
  signInPasswordlessSms: bySms,
  signUpPasswordlessSms: bySms,
  signInPasswordlessSmsOtp: { method: 'POST', required: { phoneNumber, otp: '123456' } },
  signInPasswordlessEmail: byLink,
  signUpPasswordlessEmail: byLink,
  verify: forBrowsers,
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
  signInProvider: forBrowsers,
  signUpProvider: forBrowsers,
  signInProviderCallback: forBrowsers,
  providerTokens: forCaller,
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
  user: forCaller,
  sessions: forCaller,
  session: { method: 'DELETE' },
  events: forCaller,
  jwks: publicEndpoint,
  health: publicEndpoint,
  version: publicEndpoint,
};
