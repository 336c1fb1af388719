import type { AUTH_PATHS } from '@longshore/contract';
import type { Limit } from '../../rate-limits/token-bucket.ts';

/** What a request could be abused for. */
export type Abuse = 'guessing' | 'signing-up' | 'messaging' | 'load' | 'none';

export type Limits = {
  /** Counted per account and client address, so that no client can lock out another user. */
  perAccount?: Limit;
  perAddress?: Limit;
  /**
   * Counted per account for all client addresses together. Only for messages: the last one sent stays valid, so no user
   * is locked out.
   */
  perAccountGlobally?: Limit;
};

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Messages to one mailbox or phone, from all client addresses. */
const MESSAGES: Limit = { capacity: 30, windowMs: HOUR_MS };

/** Limits per address are far higher than per account: an office or a proxy is one address. */
export const LIMITS: Record<Abuse, Limits> = {
  guessing: {
    perAccount: { capacity: 10, windowMs: FIVE_MINUTES_MS },
    perAddress: { capacity: 300, windowMs: FIVE_MINUTES_MS },
  },
  'signing-up': {
    perAccount: { capacity: 10, windowMs: FIVE_MINUTES_MS },
    perAddress: { capacity: 300, windowMs: FIVE_MINUTES_MS },
    perAccountGlobally: MESSAGES,
  },
  messaging: {
    perAccount: { capacity: 10, windowMs: HOUR_MS },
    perAddress: { capacity: 300, windowMs: HOUR_MS },
    perAccountGlobally: MESSAGES,
  },
  load: { perAddress: { capacity: 1_000, windowMs: MINUTE_MS } },
  none: {},
};

/** A path without an entry is a compile error. */
export const ABUSE_OF: Record<keyof typeof AUTH_PATHS, Abuse> = {
  signUpEmailPassword: 'signing-up',
  signInEmailPassword: 'guessing',
  signUpWebauthn: 'signing-up',
  signUpWebauthnVerify: 'signing-up',
  signInWebauthn: 'load',
  signInWebauthnVerify: 'guessing',
  addSecurityKey: 'load',
  addSecurityKeyVerify: 'load',
  elevateWebauthn: 'load',
  elevateWebauthnVerify: 'guessing',
  securityKeys: 'load',
  securityKey: 'load',
  signInAnonymous: 'signing-up',
  deanonymize: 'messaging',
  createPat: 'load',
  signInPat: 'guessing',
  generateTotp: 'load',
  changeMfa: 'guessing',
  signInMfaTotp: 'guessing',
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
  signInIdToken: 'guessing',
  signUpIdToken: 'signing-up',
  linkIdToken: 'load',
  token: 'none',
  verifyToken: 'load',
  tokenExchange: 'guessing',
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
