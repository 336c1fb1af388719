import { expect, it } from 'vitest';
import { failuresAfter, type Verdict, verdictOf } from './health-rules.ts';

const FAILED = { kind: 'failed' } as const;

it.each([
  ['a passed check resets', 2, { kind: 'passed' } as const, { lagMs: 0, elapsedMs: 1 }, 0],
  [
    'a passed check resets, however late',
    2,
    { kind: 'passed' } as const,
    { lagMs: 1e6, elapsedMs: 1e6 },
    0,
  ],
  ['a failure counts', 2, FAILED, { lagMs: 0, elapsedMs: 1 }, 3],
  ['a timeout counts', 0, FAILED, { lagMs: 0, elapsedMs: 5_001 }, 1],
  ['a little delay counts', 0, FAILED, { lagMs: 2_000, elapsedMs: 7_000 }, 1],
  ['a check that began late does not count', 2, FAILED, { lagMs: 2_001, elapsedMs: 1 }, 2],
  ['a timeout that was noticed late does not count', 2, FAILED, { lagMs: 0, elapsedMs: 7_001 }, 2],
])('%s', (_, failures, result, timing, expected) => {
  expect(failuresAfter(failures, result, timing)).toBe(expected);
});

it.each<[number, number | undefined, Verdict]>([
  [0, 0, 'healthy'],
  [2, 0, 'healthy'],
  [3, 0, 'roll-back'],
  [3, 300_000, 'roll-back'],
  [3, 300_001, 'replace'],
  [3, undefined, 'replace'],
  [9, undefined, 'replace'],
])('after %i of 3 failures, %s ms after the switch: %s', (failures, sinceSwitchMs, verdict) => {
  expect(verdictOf({ failures, threshold: 3, sinceSwitchMs })).toBe(verdict);
});
