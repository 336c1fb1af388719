import { expect, it } from 'vitest';
import { deepEqual } from './deep-equal.ts';

it.each<[unknown, unknown, boolean]>([
  ['web', 'web', true],
  ['web', 'api', false],
  [1, '1', false],
  [undefined, null, false],
  [{ name: 'web' }, { name: 'web' }, true],
  [{ name: 'web' }, { name: 'api' }, false],
  [{ name: 'web' }, { name: 'web', port: 80 }, false],
  [{ name: 'web', port: undefined }, { name: 'web', host: 'a' }, false],
  [{ apps: [{ id: 1 }, { id: 2 }] }, { apps: [{ id: 1 }, { id: 2 }] }, true],
  [{ apps: [{ id: 1 }, { id: 2 }] }, { apps: [{ id: 1 }, { id: 3 }] }, false],
  [{ apps: [{ id: 1 }] }, { apps: [{ id: 1 }, { id: 2 }] }, false],
  [{ apps: {} }, { apps: null }, false],
])('%j and %j: %s', (one, other, expected) => {
  expect(deepEqual(one, other)).toBe(expected);
  expect(deepEqual(other, one)).toBe(expected);
});
