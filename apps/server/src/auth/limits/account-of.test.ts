import { expect, it } from 'vitest';
import { accountOf } from './account-of.ts';

it.each([
  ['{"email":"Ada@Example.com "}', 'ada@example.com'],
  ['{"newEmail":"ada@example.com"}', 'ada@example.com'],
  ['{"phoneNumber":"+4915112345678"}', '+4915112345678'],
  ['{"email":null,"phoneNumber":"+49"}', '+49'],
  ['{"email":""}', undefined],
  ['{"email":["ada@example.com"]}', undefined],
  ['{"ticket":"mfaTotp:1"}', undefined],
  ['null', undefined],
  ['"text"', undefined],
  ['[]', undefined],
  ['{', undefined],
  ['', undefined],
])('reads %s as %s', (body, account) => {
  expect(accountOf(body)).toBe(account);
});

it('does not keep an endless name', () => {
  expect(accountOf(JSON.stringify({ email: 'x'.repeat(10_000) }))).toHaveLength(320);
});
