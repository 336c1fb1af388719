import { describe, expect, it } from 'vitest';
import { type ConditionOutcome, checkConditions, matchesIfRange } from './conditions.ts';

const file = { etag: '"abc"', modifiedAt: new Date('2026-11-15T08:00:00.500Z') };
const EARLIER = 'Sun, 15 Nov 2026 07:00:00 GMT';
const SAME = 'Sun, 15 Nov 2026 08:00:00 GMT';
const LATER = 'Sun, 15 Nov 2026 09:00:00 GMT';

describe('conditions', () => {
  it.each<[Record<string, string>, ConditionOutcome]>([
    [{}, 'send'],
    [{ 'if-none-match': '"abc"' }, 'not-modified'],
    [{ 'if-none-match': 'W/"abc"' }, 'not-modified'],
    [{ 'if-none-match': '"x", "abc"' }, 'not-modified'],
    [{ 'if-none-match': '*' }, 'not-modified'],
    [{ 'if-none-match': '"x"' }, 'send'],
    [{ 'if-none-match': '"x"', 'if-modified-since': LATER }, 'send'],
    [{ 'if-modified-since': LATER }, 'not-modified'],
    [{ 'if-modified-since': SAME }, 'not-modified'],
    [{ 'if-modified-since': EARLIER }, 'send'],
    [{ 'if-modified-since': 'yesterday' }, 'send'],
    [{ 'if-match': '"abc"' }, 'send'],
    [{ 'if-match': '*' }, 'send'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-match': 'W/"abc"' }, 'failed'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': EARLIER }, 'send'],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'not-modified'],
    [{ 'if-unmodified-since': EARLIER }, 'failed'],
    [{ 'if-unmodified-since': SAME }, 'send'],
    [{ 'if-unmodified-since': 'never' }, 'send'],
  ])('%o: %s', (headers, outcome) => {
    expect(checkConditions(new Headers(headers), file)).toBe(outcome);
  });
});

describe('a range', () => {
  it.each([
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [SAME, true],
    [EARLIER, false],
    [LATER, false],
    ['nonsense', false],
  ])('is sent for If-Range %s: %s', (ifRange, isSent) => {
    const headers = new Headers(ifRange === undefined ? {} : { 'if-range': ifRange });
    expect(matchesIfRange(headers, file)).toBe(isSent);
  });
});
