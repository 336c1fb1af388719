import { expect, it } from 'vitest';
import { profileOfClaims } from './profile.ts';

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['an address in capital letters', { email: ' Ada@Example.COM ' }, { email: 'ada@example.com' }],
  ['an invalid address', { email: 'ada' }, { email: undefined }],
  ['no address', {}, { email: undefined, isEmailVerified: false }],
  ['a verified address', { email_verified: true }, { isEmailVerified: true }],
  ['email_verified as text', { email_verified: 'true' }, { isEmailVerified: true }],
  ['email_verified as number', { email_verified: 1 }, { isEmailVerified: false }],
  ['a name with hidden characters', { name: 'A\u0000d\u200ba\n' }, { displayName: 'Ada' }],
  ['a long name', { name: 'a'.repeat(500) }, { displayName: 'a'.repeat(100) }],
  ['an unpaired surrogate as name', { name: '\ud800' }, { displayName: '\ufffd' }],
  ['an empty name', { name: ' ' }, { displayName: undefined }],
  [
    'a picture',
    { picture: 'https://example.com/a.png' },
    { avatarUrl: 'https://example.com/a.png' },
  ],
  ['a picture with a script URL', { picture: 'javascript:alert(1)' }, { avatarUrl: '' }],
  ['a number as id', { sub: 12 }, { accountId: '12' }],
])('reads %s', (_, claims, profile) => {
  expect(profileOfClaims({ sub: 'id', ...claims })).toMatchObject(profile);
});

it.each([
  {},
  { sub: '' },
  { sub: null },
  { sub: 1.5 },
  { sub: 'a\0' },
  { sub: 'x'.repeat(300) },
  [],
  null,
])('finds no account in %j', (claims) => {
  expect(() => profileOfClaims(claims)).toThrow();
});
