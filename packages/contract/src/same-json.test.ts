import { expect, it } from 'vitest';
import { isSameJson } from './same-json.ts';

it.each<[boolean, string, unknown, unknown]>([
  [true, 'another order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  [true, 'an undefined value', { a: 1 }, { a: 1, b: undefined }],
  [false, 'another order in a list', [1, 2], [2, 1]],
  [false, 'a list and an object', [], {}],
  [false, 'a number and its text', { a: 1 }, { a: '1' }],
  [false, 'null and a missing key', { a: null }, {}],
  [false, 'another depth', { a: { b: 1 } }, { a: 1, b: 1 }],
])('is %s for %s', (isSame, _, one, other) => {
  expect(isSameJson(one, other)).toBe(isSame);
});
