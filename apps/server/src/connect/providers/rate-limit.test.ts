import { expect, it } from 'vitest';
import { isRateLimited, retryAt } from './rate-limit.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const at = (headers: Record<string, string>) => retryAt(new Headers(headers), NOW).toISOString();

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
  expect(at(headers)).toBe(until);
});
