import { expect, it } from 'vitest';
import { planKeyRotation, type StoredKey } from './key-rotation.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

const aged = (days: number): StoredKey => ({
  createdAt: NOW - days * DAY,
  jwk: { kid: `${days}` },
});

it.each([
  ['no key', [], [], true],
  ['a new key', [0], [0], false],
  ['a key of 29 days', [29], [29], false],
  ['a key of 30 days', [30], [30], true],
  ['a new key and its predecessor', [1, 31], [1, 31], false],
  ['an old key and its predecessor', [30, 60], [30], true],
  ['a predecessor of any age', [29, 500], [29, 500], false],
  ['more than two', [1, 31, 61, 91], [1, 31], false],
  ['a key created in the future', [-5, 25], [-5, 25], false],
])('plans the rotation for %s', (_, ages, keptAges, needsNewKey) => {
  expect(planKeyRotation(ages.map(aged), NOW)).toEqual({
    keysToKeep: keptAges.map(aged),
    needsNewKey,
  });
});
