import { expect, it } from 'vitest';
import { stateProblem } from './user-state.ts';

const ada = {
  disabled: false,
  email: 'ada@example.com',
  email_verified: false,
  is_anonymous: false,
};

it.each([
  ['nothing, where addresses need not be verified', ada, false, undefined],
  ['unverified-user, where they do', ada, true, 'unverified-user'],
  ['nothing once verified', { ...ada, email_verified: true }, true, undefined],
  ['disabled-user before all else', { ...ada, disabled: true }, true, 'disabled-user'],
  ['nothing without an address', { ...ada, email: null }, true, undefined],
  ['nothing for the anonymous', { ...ada, is_anonymous: true }, true, undefined],
])('finds %s', (_, user, requireVerifiedEmail, code) => {
  expect(stateProblem(user, { requireVerifiedEmail })).toBe(code);
});
