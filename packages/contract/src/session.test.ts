import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSession, isUser, type Session } from './session.ts';

const session: Session = {
  accessToken: 'header.claims.signature',
  accessTokenExpiresIn: 900,
  refreshToken: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21',
  refreshTokenId: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77',
  user: {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    displayName: 'ada@example.com',
    email: 'ada@example.com',
    createdAt: '2025-01-02T03:04:05.678901+00:00',
    isAnonymous: false,
    locale: 'en',
    roles: ['user', 'me'],
    defaultRole: 'user',
    avatarUrl: '',
    emailVerified: true,
    phoneNumberVerified: false,
    metadata: null,
  },
};

describe('isUser', () => {
  it('accepts a user with and without an email', () => {
    expect(isUser(session.user)).toBe(true);
    expect(isUser({ ...session.user, email: undefined, activeMfaType: 'totp' })).toBe(true);
  });

  it.each(['id', 'displayName', 'createdAt', 'isAnonymous', 'locale', 'roles'])(
    'requires %s',
    (name) => {
      expect(isUser({ ...session.user, [name]: undefined })).toBe(false);
    },
  );

  it('requires roles to be strings', () => {
    expect(isUser({ ...session.user, roles: ['user', 7] })).toBe(false);
  });

  it('rejects anything else', () => {
    fc.assert(fc.property(fc.anything(), (value) => !isUser(value)));
  });
});

describe('isSession', () => {
  it('accepts a session, also with additional fields', () => {
    expect(isSession(session)).toBe(true);
    expect(isSession({ ...session, mfa: null })).toBe(true);
  });

  it.each([
    ['an access token', { accessToken: undefined }],
    ['an access token that is text', { accessToken: 7 }],
    ['a lifetime', { accessTokenExpiresIn: undefined }],
    ['a lifetime that is a number', { accessTokenExpiresIn: '900' }],
    ['a refresh token', { refreshToken: null }],
    ['a user', { user: undefined }],
    ['a user that is an object', { user: 'ada' }],
  ])('requires %s', (_what, change) => {
    expect(isSession({ ...session, ...change })).toBe(false);
  });

  it.each([undefined, null, '', 'OK', 7, [], {}, { session }, { session: null, mfa: null }])(
    'rejects %j',
    (value) => {
      expect(isSession(value)).toBe(false);
    },
  );

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => typeof isSession(value) === 'boolean'));
  });
});
