import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AUTH_PATHS } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { decideSignIn, SIGN_IN_WAYS, type SignInWay } from './sign-in-ways.ts';

const USER = {
  disabled: false,
  email: 'ada@example.com',
  email_verified: true,
  phone_number: null,
  phone_number_verified: false,
  is_anonymous: false,
  must_verify_email: false,
  active_mfa_type: null,
} as const;

const ACCOUNTS = {
  plain: USER,
  totp: { ...USER, active_mfa_type: 'totp' },
  disabled: { ...USER, disabled: true },
  disabledTotp: { ...USER, disabled: true, active_mfa_type: 'totp' },
  unverified: { ...USER, email_verified: false },
  unverifiedTotp: { ...USER, email_verified: false, active_mfa_type: 'totp' },
} as const;

/** What an account with a second factor gets; a way without a row does not compile. */
const WITH_TOTP: Record<SignInWay, 'second-factor' | 'admitted'> = {
  'sign-up': 'second-factor',
  anonymous: 'second-factor',
  deanonymize: 'second-factor',
  password: 'second-factor',
  'email-code': 'second-factor',
  'sms-code': 'second-factor',
  'id-token': 'second-factor',
  provider: 'second-factor',
  verifyEmail: 'second-factor',
  passwordlessEmail: 'second-factor',
  passwordReset: 'second-factor',
  emailConfirmChange: 'second-factor',
  'code-exchange': 'second-factor',
  'security-key': 'second-factor',
  'verified-security-key': 'admitted',
  totp: 'admitted',
  'recovery-code': 'admitted',
  elevation: 'admitted',
  'verified-elevation': 'admitted',
  'personal-access-token': 'admitted',
};

describe.each(Object.entries(WITH_TOTP))('signing in by %s', (name, withTotp) => {
  const way = name as SignInWay;

  it.each([
    ['plain', { kind: 'admitted' }],
    ['totp', { kind: withTotp }],
    ['disabled', { kind: 'refused', code: 'disabled-user' }],
    ['disabledTotp', { kind: 'refused', code: 'disabled-user' }],
    ['unverified', { kind: 'refused', code: 'unverified-user' }],
    ['unverifiedTotp', { kind: 'refused', code: 'unverified-user' }],
  ] as const)('to the account "%s"', (account, decision) => {
    expect(decideSignIn(way, ACCOUNTS[account], { requireVerifiedEmail: true })).toEqual(decision);
  });

  it('does not require a verified address if the operator does not', () => {
    const settings = { requireVerifiedEmail: false };
    expect(decideSignIn(way, ACCOUNTS.unverified, settings)).toEqual({ kind: 'admitted' });
    expect(decideSignIn(way, ACCOUNTS.unverifiedTotp, settings)).toEqual({ kind: withTotp });
  });
});

describe('the list of ways to sign in', () => {
  /** The ways of each endpoint; a new endpoint does not compile without a row. */
  const WAYS_OF: Record<keyof typeof AUTH_PATHS, SignInWay[]> = {
    signUpEmailPassword: ['sign-up'],
    signInEmailPassword: ['password'],
    signUpWebauthn: [],
    signUpWebauthnVerify: ['sign-up'],
    signInWebauthn: [],
    signInWebauthnVerify: ['verified-security-key', 'security-key'],
    addSecurityKey: [],
    addSecurityKeyVerify: [],
    elevateWebauthn: [],
    elevateWebauthnVerify: ['elevation', 'verified-elevation'],
    proofStatus: [],
    elevatePassword: [],
    elevateTotp: [],
    elevateOtpEmail: [],
    elevateOtpEmailVerify: [],
    securityKeys: [],
    securityKey: [],
    signInAnonymous: ['anonymous'],
    deanonymize: ['deanonymize'],
    createPat: [],
    signInPat: ['personal-access-token'],
    generateTotp: [],
    changeMfa: [],
    signInMfaTotp: ['totp', 'recovery-code'],
    signInOtpEmail: [],
    signUpOtpEmail: [],
    signInOtpEmailVerify: ['email-code'],
    signInPasswordlessSms: [],
    signUpPasswordlessSms: [],
    signInPasswordlessSmsOtp: ['sms-code'],
    signInPasswordlessEmail: [],
    signUpPasswordlessEmail: [],
    verify: ['verifyEmail', 'passwordlessEmail', 'passwordReset', 'emailConfirmChange'],
    changePassword: [],
    resetPassword: [],
    changeEmail: [],
    sendVerificationEmail: [],
    signInProvider: [],
    signUpProvider: [],
    signInProviderCallback: ['provider'],
    providerTokens: [],
    refreshProviderTokens: [],
    signInIdToken: ['id-token'],
    signUpIdToken: ['id-token'],
    linkIdToken: [],
    token: [],
    verifyToken: [],
    tokenExchange: ['code-exchange'],
    signOut: [],
    user: [],
    recoveryCodes: [],
    generateRecoveryCodes: [],
    sessions: [],
    session: [],
    pats: [],
    pat: [],
    events: [],
    jwks: [],
    health: [],
    version: [],
  };

  it('is complete', () => {
    expect(new Set(Object.values(WAYS_OF).flat())).toEqual(new Set(Object.keys(SIGN_IN_WAYS)));
  });

  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }));

  it.each([
    [
      'inserts sessions',
      /insert into auth\.refresh_tokens|insertInto\('auth\.refresh_tokens'\)/,
      'refresh-tokens/refresh-tokens.ts',
    ],
    ['issues refresh tokens', /refreshTokens\s*\.issue\(/, 'create-sessions.ts'],
    [
      'issues codes that open a session',
      /exchangeCodes\s*\.issue\(/,
      'code-exchange/token-exchange.ts',
    ],
    [
      'calls `admit`, which opens no session',
      /sessions\.admit\(/,
      'code-exchange/token-exchange.ts',
    ],
  ])('one file %s', (_, pattern, file) => {
    expect(sources.filter(({ text }) => pattern.test(text)).map((source) => source.file)).toEqual([
      file,
    ]);
  });
});
