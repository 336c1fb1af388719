import { expect, it } from 'vitest';
import { signInProblem } from './sign-in-problem.ts';

const ada = {
  disabled: false,
  email: 'ada@example.com',
  email_verified: false,
  phone_number: null,
  phone_number_verified: false,
  is_anonymous: false,
};
const bob = { ...ada, email: null, phone_number: '+4915100000001' };

it.each([
  ['nothing, where addresses need not be verified', ada, false, undefined],
  ['unverified-user, where they do', ada, true, 'unverified-user'],
  ['nothing once verified', { ...ada, email_verified: true }, true, undefined],
  ['disabled-user before all else', { ...ada, disabled: true }, true, 'disabled-user'],
  ['nothing without an address', { ...ada, email: null }, true, undefined],
  ['unverified-user for a number that is not proven', bob, false, 'unverified-user'],
  ['nothing once it is', { ...bob, phone_number_verified: true }, false, undefined],
  ['nothing for the anonymous', { ...ada, is_anonymous: true }, true, undefined],
])('finds %s', (_, user, requireVerifiedEmail, code) => {
  expect(signInProblem(user, { requireVerifiedEmail })).toBe(code);
});
