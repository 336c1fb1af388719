import type { AUTH_PATHS } from '@longshore/contract';
import type { Limit } from '../../rate-limits/token-bucket.ts';

/** What a request could be abused for. `tokens`: wrong ones cost time, but nobody can guess a right one. */
export type Abuse = 'guessing' | 'tokens' | 'signing-up' | 'messaging' | 'load' | 'none';

export type Rule = Limit & {
  /**
   * What is counted separately. `client`: the signed-in user, or else the address. `account`: each account in the request,
   * at one address, so that no client can lock out the user of another.
   */
  per: 'client' | 'address' | 'account' | 'account-anywhere';
  counts: 'requests' | 'failures' | 'successes';
  /** `wait`: one request at a time is served. Used wherever users with a valid credential may share the address. */
  above: 'refuse' | 'wait';
};

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Above, a client costs at most one request at a time. */
const WRONG_CREDENTIALS: Rule = {
  per: 'client',
  counts: 'failures',
  capacity: 300,
  windowMs: FIVE_MINUTES_MS,
  above: 'wait',
};

/** To one mailbox or phone, from all addresses. The last one sent stays valid, so no user is locked out. */
const MESSAGES: Rule = {
  per: 'account-anywhere',
  counts: 'successes',
  capacity: 30,
  windowMs: HOUR_MS,
  above: 'refuse',
};

const successes = { counts: 'successes', above: 'refuse' } as const;

/** Limits per address are far higher than per account: an office or a proxy is one address. */
export const RULES: Record<Abuse, readonly Rule[]> = {
  guessing: [
    {
      per: 'account',
      counts: 'failures',
      capacity: 10,
      windowMs: FIVE_MINUTES_MS,
      above: 'refuse',
    },
    WRONG_CREDENTIALS,
  ],
  tokens: [WRONG_CREDENTIALS],
  'signing-up': [
    MESSAGES,
    { per: 'address', ...successes, capacity: 300, windowMs: FIVE_MINUTES_MS },
    WRONG_CREDENTIALS,
  ],
  messaging: [
    { per: 'account', ...successes, capacity: 10, windowMs: HOUR_MS },
    MESSAGES,
    { per: 'client', ...successes, capacity: 300, windowMs: HOUR_MS },
    WRONG_CREDENTIALS,
  ],
  load: [
    { per: 'client', counts: 'requests', capacity: 1_000, windowMs: MINUTE_MS, above: 'wait' },
  ],
  none: [],
};

/** A path without an entry is a compile error. */
export const ABUSE_OF: Record<keyof typeof AUTH_PATHS, Abuse> = {
  signUpEmailPassword: 'signing-up',
  signInEmailPassword: 'guessing',
  signUpWebauthn: 'signing-up',
  signUpWebauthnVerify: 'signing-up',
  signInWebauthn: 'load',
  signInWebauthnVerify: 'tokens',
  addSecurityKey: 'load',
  addSecurityKeyVerify: 'load',
  elevateWebauthn: 'load',
  elevateWebauthnVerify: 'tokens',
  proofStatus: 'load',
  // Wrong ones are counted per session (`CodeAttempts`): they must not lock other sessions of the account.
  elevatePassword: 'tokens',
  elevateTotp: 'tokens',
  elevateOtpEmail: 'messaging',
  elevateOtpEmailVerify: 'tokens',
  securityKeys: 'load',
  securityKey: 'load',
  signInAnonymous: 'signing-up',
  deanonymize: 'messaging',
  createPat: 'load',
  signInPat: 'tokens',
  generateTotp: 'load',
  changeMfa: 'guessing',
  signInMfaTotp: 'tokens',
  recoveryCodes: 'load',
  generateRecoveryCodes: 'guessing',
  signInOtpEmail: 'messaging',
  signUpOtpEmail: 'messaging',
  signInOtpEmailVerify: 'guessing',
  signInPasswordlessSms: 'messaging',
  signUpPasswordlessSms: 'messaging',
  signInPasswordlessSmsOtp: 'guessing',
  signInPasswordlessEmail: 'messaging',
  signUpPasswordlessEmail: 'messaging',
  verify: 'load',
  changePassword: 'load',
  resetPassword: 'messaging',
  changeEmail: 'messaging',
  sendVerificationEmail: 'messaging',
  signInProvider: 'load',
  signUpProvider: 'load',
  signInProviderCallback: 'load',
  providerTokens: 'load',
  refreshProviderTokens: 'guessing',
  signInIdToken: 'tokens',
  signUpIdToken: 'tokens',
  linkIdToken: 'load',
  token: 'none',
  verifyToken: 'load',
  tokenExchange: 'tokens',
  signOut: 'none',
  user: 'load',
  sessions: 'load',
  session: 'load',
  pats: 'load',
  pat: 'load',
  events: 'load',
  jwks: 'none',
  health: 'none',
  version: 'none',
};
