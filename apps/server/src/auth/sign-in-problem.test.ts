import { expect, it } from 'vitest';
import { signInProblem } from './sign-in-problem.ts';

const ada = {
  disabled: false,
  email: 'ada@example.com',
  email_verified: false,
  phone_number: null,
  phone_number_verified: false,
  is_anonymous: false,
  must_verify_email: false,
};
const bob = { ...ada, email: null, phone_number: '+4915100000001' };

it.each([
  ['no problem if verification is not required', ada, false, undefined],
  ['unverified-user if verification is required', ada, true, 'unverified-user'],
  [
    'unverified-user for an account that must verify',
    { ...ada, must_verify_email: true },
    false,
    'unverified-user',
  ],
  ['no problem for a verified address', { ...ada, email_verified: true }, true, undefined],
  ['disabled-user first', { ...ada, disabled: true }, true, 'disabled-user'],
  ['no problem without an address', { ...ada, email: null }, true, undefined],
  ['unverified-user for an unverified phone number', bob, false, 'unverified-user'],
  [
    'no problem for a verified phone number',
    { ...bob, phone_number_verified: true },
    false,
    undefined,
  ],
  ['no problem for an anonymous user', { ...ada, is_anonymous: true }, true, undefined],
])('reports %s', (_, user, requireVerifiedEmail, code) => {
  expect(signInProblem(user, { requireVerifiedEmail })).toBe(code);
});
