import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOpenSession,
  isPersonalAccessToken,
  isProviderSession,
  isSecurityEvent,
  isSecurityKey,
  isTotpSecret,
} from './own-account.ts';

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
  'an open session': [isOpenSession, session],
  'a security key': [isSecurityKey, { id: 'k', nickname: null, createdAt: at }],
  'a personal access token': [isPersonalAccessToken, token],
  'a security event': [isSecurityEvent, event],
  'a TOTP secret': [isTotpSecret, { imageUrl: 'data:', totpSecret: 'S' }],
  'the session of a provider': [isProviderSession, providerSession],
};
/** What may be anything. */
const FREE = new Set(['metadata']);

describe.each(Object.entries(CASES))('%s', (_, [isExpected, value]) => {
  it('is known, also with fields of newer servers', () => {
    expect(isExpected(value)).toBe(true);
    expect(isExpected({ ...value, more: 1 })).toBe(true);
  });

  it.each(Object.keys(value).filter((name) => !FREE.has(name)))('needs %s', (name) => {
    expect(isExpected({ ...value, [name]: undefined })).toBe(false);
    expect(isExpected({ ...value, [name]: [] })).toBe(false);
  });

  it('is nothing else, and asking never throws', () => {
    fc.assert(fc.property(fc.anything(), (anything) => !isExpected(anything)));
  });
});

it('the session of a provider may bring a refresh token', () => {
  expect(isProviderSession({ ...providerSession, refreshToken: 'r' })).toBe(true);
  expect(isProviderSession({ ...providerSession, refreshToken: 7 })).toBe(false);
});
