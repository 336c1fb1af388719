import { expect, it } from 'vitest';
import { accountsInBody } from './request-accounts.ts';

it.each([
  ['{"email":"Ada@Example.com "}', ['ada@example.com']],
  ['{"email":"ada+shop+2@example.com"}', ['ada@example.com']],
  ['{"email":"+ada@example.com"}', ['+ada@example.com']],
  ['{"newEmail":"ada@example.com"}', ['ada@example.com']],
  ['{"phoneNumber":"+4915112345678"}', ['+4915112345678']],
  ['{"phoneNumber":"0049 (151) 1234-5678"}', ['+4915112345678']],
  ['{"email":null,"phoneNumber":"+49"}', ['+49']],
  [
    '{"email":"a@example.com","newEmail":"b@example.com","phoneNumber":"+4915112345678"}',
    ['a@example.com', 'b@example.com', '+4915112345678'],
  ],
  ['{"email":"a@example.com","newEmail":"A@example.com"}', ['a@example.com']],
  ['{"email":""}', []],
  ['{"email":["ada@example.com"]}', []],
  ['{"ticket":"mfaTotp:1"}', []],
  ['null', []],
  ['"text"', []],
  ['[]', []],
  ['{', []],
  ['', []],
])('finds the accounts of %s: %j', (body, accounts) => {
  expect(accountsInBody(body)).toEqual(accounts);
});

it.each(['email', 'phoneNumber'])('truncates a long %s', (field) => {
  expect(accountsInBody(JSON.stringify({ [field]: 'x'.repeat(10_000) }))).toEqual([
    'x'.repeat(320),
  ]);
});
