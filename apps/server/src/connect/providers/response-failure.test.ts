import { expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import { isRateLimited, responseFailure, retryAt } from './response-failure.ts';

const context = { now: 0, token: new Secret('t0ken') };
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
  expect(responseFailure({ status, headers }, '', context).reason).toBe(reason);
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
  expect(responseFailure({ status: 400, headers }, text, context).detail).toBe(detail);
});

const NOW = Date.parse('2026-11-15T12:00:00Z');

it.each<[number, Record<string, string>, boolean]>([
  [429, {}, true],
  [403, { 'x-ratelimit-remaining': '0' }, true],
  [403, { 'retry-after': '60' }, true],
  [403, { 'x-ratelimit-remaining': '12' }, false],
  [403, {}, false],
  [401, { 'x-ratelimit-remaining': '0' }, false],
])('decides whether %i with %j is a rate limit', (status, headers, isLimited) => {
  expect(isRateLimited({ status, headers: new Headers(headers) })).toBe(isLimited);
});

it.each<[Record<string, string>, string]>([
  [{ 'retry-after': '30' }, '2026-11-15T12:00:30.000Z'],
  [{ 'retry-after': 'Sun, 15 Nov 2026 12:05:00 GMT' }, '2026-11-15T12:05:00.000Z'],
  [{ 'ratelimit-reset': String(NOW / 1_000 + 90) }, '2026-11-15T12:01:30.000Z'],
  [{ 'x-ratelimit-reset': String(NOW / 1_000 + 90) }, '2026-11-15T12:01:30.000Z'],
  [
    { 'retry-after': '5', 'x-ratelimit-reset': String(NOW / 1_000 + 90) },
    '2026-11-15T12:00:05.000Z',
  ],
  [{}, '2026-11-15T12:01:00.000Z'],
  [{ 'retry-after': 'soon' }, '2026-11-15T12:01:00.000Z'],
  [{ 'retry-after': '-5' }, '2026-11-15T12:01:00.000Z'],
  [{ 'ratelimit-reset': '12' }, '2026-11-15T12:00:01.000Z'],
  [{ 'retry-after': '999999999999' }, '2026-11-16T12:00:00.000Z'],
  [{ 'retry-after': '9'.repeat(500) }, '2026-11-15T12:01:00.000Z'],
])('waits for %j until %s', (headers, until) => {
  expect(retryAt(new Headers(headers), NOW).toISOString()).toBe(until);
});
