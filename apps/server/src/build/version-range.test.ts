import { expect, it } from 'vitest';
import { highestMajor, isInRange } from './version-range.ts';

it.each([
  ['24.1.0', '*', true],
  ['24.1.0', '', true],
  ['24.1.0', '>=18', true],
  ['24.1.0', '>= 18.0.0', true],
  ['24.1.0', '>18', true],
  ['18.9.0', '>18', false],
  ['24.1.0', '18.x', false],
  ['18.4.0', '18.x', true],
  ['18.4.0', 'v18', true],
  ['18.4.0', '18.4', true],
  ['18.4.1', '18.4.0', false],
  ['20.3.0', '^18.0.0 || ^20.0.0', true],
  ['22.0.0', '^18.0.0 || ^20.0.0', false],
  ['24.1.0', '>=18 <25', true],
  ['25.0.0', '>=18 <25', false],
  ['22.9.0', '18 - 22', true],
  ['23.0.0', '18 - 22', false],
  ['20.4.0', '~20.3', false],
  ['20.3.9', '~20.3.1', true],
  ['16.0.0', '<=16', true],
  ['16.5.0', '<16', false],
  ['24.1.0', 'lts/*', undefined],
  ['24.1.0', 'latest', undefined],
])('finds out whether %s is in %j', (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});

it.each([
  ['>=14 <17', 16],
  ['18.x', 18],
  ['^16 || ^18', 18],
  ['12.22.1', 12],
  ['<=14.0.0', 14],
  ['>=99', undefined],
  ['nonsense', undefined],
])('finds the highest major version of %j', (range, major) => {
  expect(highestMajor(range, 30)).toBe(major);
});
