import { describe, expect, it } from 'vitest';
import {
  PROOF_LIFETIME_MS,
  type ProofMethod,
  proofOptions,
  proofProblem,
  type SessionProof,
} from './proof-rules.ts';

const NOW = 1_800_000_000_000;

function problem(session: Partial<SessionProof>, hasTotp = false) {
  const proof: SessionProof = {
    provedAt: new Date(NOW),
    provedBy: 'password',
    isFromPersonalAccessToken: false,
    ...session,
  };
  return proofProblem(proof, { hasTotp, now: NOW });
}

/** Whether a proof counts for an account without and with an authenticator app. */
const METHODS: Record<ProofMethod, [withoutTotp: boolean, withTotp: boolean]> = {
  password: [true, false],
  'email-code': [true, false],
  'sms-code': [true, false],
  provider: [true, false],
  redirect: [true, false],
  'security-key': [true, false],
  'verified-security-key': [true, true],
  totp: [true, true],
  'recovery-code': [true, true],
  'sign-up': [true, false],
  anonymous: [false, false],
  'personal-access-token': [false, false],
};

describe('a proof that was just made', () => {
  it.each(Object.entries(METHODS))('by %s counts: %j', (method, [withoutTotp, withTotp]) => {
    const provedBy = method as ProofMethod;
    const counts = [problem({ provedBy }), problem({ provedBy }, true)].map(
      (it) => it === undefined,
    );
    expect(counts).toEqual([withoutTotp, withTotp]);
  });
});

describe('the age of a proof', () => {
  it.each([
    ['just now', 0, undefined],
    ['ten minutes ago', PROOF_LIFETIME_MS, undefined],
    ['a moment more than ten minutes ago', PROOF_LIFETIME_MS + 1, 'reauthentication-required'],
    ['before the clock was corrected slightly', -60_000, undefined],
    ['in the future', -60_001, 'reauthentication-required'],
  ])('%s', (_, ageMs, expected) => {
    expect(problem({ provedAt: new Date(NOW - ageMs) })).toBe(expected);
  });

  it('is unknown for sessions from before the records: not fresh', () => {
    expect(problem({ provedAt: null, provedBy: null })).toBe('reauthentication-required');
  });
});

it('never accepts a session of a personal access token', () => {
  for (const provedBy of Object.keys(METHODS) as ProofMethod[]) {
    const session = { provedBy, isFromPersonalAccessToken: true };
    expect(problem(session)).toBe('forbidden-personal-access-token');
  }
});

describe('the options of an account', () => {
  const NOTHING = { hasTotp: false, hasPassword: false, hasSecurityKey: false, hasEmail: false };
  const EVERYTHING = { hasTotp: true, hasPassword: true, hasSecurityKey: true, hasEmail: true };
  it.each([
    [
      'everything but an authenticator app',
      { ...EVERYTHING, hasTotp: false },
      ['password', 'security-key', 'email-code'],
    ],
    ['everything', EVERYTHING, ['totp', 'security-key']],
    ['an authenticator app and a password', { ...EVERYTHING, hasSecurityKey: false }, ['totp']],
    ['an address only', { ...NOTHING, hasEmail: true }, ['email-code']],
    ['a security key only', { ...NOTHING, hasSecurityKey: true }, ['security-key']],
    ['a phone number or a provider only', NOTHING, []],
  ])('with %s', (_, account, options) => {
    expect(proofOptions(account)).toEqual(options);
  });
});
