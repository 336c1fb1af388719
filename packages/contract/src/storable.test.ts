import { expect, it } from 'vitest';
import { isStorable } from './storable.ts';

it.each([
  [''],
  ['Гавань 🚢\n'],
  [7],
  [true],
  [null],
  [undefined],
  [[]],
  [{}],
  [{ env: { A: 'b' }, ports: [{ number: 80 }] }],
])('can store %j', (value) => {
  expect(isStorable(value)).toBe(true);
});

it.each([
  ['a\0b'],
  ['\ud83d'],
  ['\udea2\ud83d'],
  [['a', '\0']],
  [{ env: { A: '\0' } }],
  [{ env: { '\0': 'a' } }],
  [{ ports: [{ name: '\ud83d' }] }],
])('cannot store %j', (value) => {
  expect(isStorable(value)).toBe(false);
});
