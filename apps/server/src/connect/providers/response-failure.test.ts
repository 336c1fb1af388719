import { expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import { responseFailure } from './response-failure.ts';

const known = { now: 0, token: new Secret('t0ken') };
const headers = new Headers();

it.each([
  [401, 'unauthorized'],
  [403, 'refused'],
  [404, 'not-found'],
  [400, 'refused'],
  [409, 'refused'],
  [422, 'refused'],
  [429, 'rate-limited'],
  [500, 'unreachable'],
  [503, 'unreachable'],
  [304, 'unreachable'],
])('converts %i to %s', (status, reason) => {
  expect(responseFailure({ status, headers }, '', known).reason).toBe(reason);
});

it.each([
  ['{"message":"404 Project Not Found"}', '404 Project Not Found'],
  [
    '{"message":{"fingerprint":["has already been taken"]}}',
    '{"fingerprint":["has already been taken"]}',
  ],
  ['{"error":"invalid_token","error_description":"Token was revoked."}', 'Token was revoked.'],
  ['{"error":"insufficient_scope"}', 'insufficient_scope'],
  [
    '{"message":"Validation Failed","errors":[{"message":"key is already in use"},"odd",{}]}',
    'Validation Failed key is already in use odd',
  ],
  ['{"message":"line\\none\\u202e\\u0000 two"}', 'line one two'],
  ['{"message":"your token is t0ken, t0ken"}', 'your token is [secret], [secret]'],
  [`{"message":"${'x'.repeat(5_000)}"}`, 'x'.repeat(200)],
  ['Retry later', undefined],
  ['<html>', undefined],
  ['[]', undefined],
  ['{"message":null}', undefined],
  ['', undefined],
])('reads the message of %j as %j', (text, detail) => {
  expect(responseFailure({ status: 400, headers }, text, known).detail).toBe(detail);
});
