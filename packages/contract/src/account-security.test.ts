import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isActiveSession,
  isNewRecoveryCodes,
  isPersonalAccessToken,
  isProofStatus,
  isProviderSession,
  isRecoveryCodesLeft,
  isSecurityEvent,
  isSecurityKey,
  isTotpSecret,
} from './account-security.ts';

const at = '2025-01-02T03:04:05.678Z';
const session = {
  id: 's',
  createdAt: at,
  lastUsedAt: at,
  userAgent: null,
  address: '127.0.0.1',
  isCurrent: true,
};
const token = { id: 't', metadata: null, createdAt: at, lastUsedAt: null, expiresAt: at };
const event = { id: '1', at, kind: 'elevated', address: null, userAgent: 'Browser', details: {} };
const providerSession = { accessToken: 'a', expiresIn: 60, expiresAt: at };

type Case = [(value: unknown) => boolean, Record<string, unknown>];
const CASES: Record<string, Case> = {
  'an active session': [isActiveSession, session],
  'a security key': [isSecurityKey, { id: 'k', nickname: null, createdAt: at }],
  'a personal access token': [isPersonalAccessToken, token],
  'a security event': [isSecurityEvent, event],
  'a TOTP secret': [isTotpSecret, { imageUrl: 'data:', totpSecret: 'S' }],
  'a number of recovery codes': [isRecoveryCodesLeft, { left: 7 }],
  'new recovery codes': [isNewRecoveryCodes, { recoveryCodes: ['ABCD-EFGH-JKLM'] }],
  'a provider session': [isProviderSession, providerSession],
};
/** Fields of any type. */
const ANY_TYPE = new Set(['metadata']);

describe.each(Object.entries(CASES))('%s', (_, [isExpected, value]) => {
  it('is recognised, also with additional fields', () => {
    expect(isExpected(value)).toBe(true);
    expect(isExpected({ ...value, more: 1 })).toBe(true);
  });

  it.each(Object.keys(value).filter((name) => !ANY_TYPE.has(name)))('requires %s', (name) => {
    expect(isExpected({ ...value, [name]: undefined })).toBe(false);
    expect(isExpected({ ...value, [name]: [] })).toBe(false);
  });

  it('rejects anything else without throwing', () => {
    fc.assert(fc.property(fc.anything(), (other) => !isExpected(other)));
  });
});

it('a provider session may have a refresh token', () => {
  expect(isProviderSession({ ...providerSession, refreshToken: 'r' })).toBe(true);
  expect(isProviderSession({ ...providerSession, refreshToken: 7 })).toBe(false);
});

it.each([
  [{ isFresh: false, options: ['password', 'totp'] }, true],
  [{ isFresh: true, options: [] }, true],
  [{ isFresh: true }, false],
  [{ options: [] }, false],
  [{ isFresh: 'true', options: [] }, false],
  [{ isFresh: false, options: ['a guess'] }, false],
  [null, false],
])('recognises a proof status in %j: %s', (value, isExpected) => {
  expect(isProofStatus(value)).toBe(isExpected);
});
