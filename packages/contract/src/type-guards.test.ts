import { expect, it } from 'vitest';
import { isRecord } from './type-guards.ts';

it.each([[{}], [{ a: 1 }], [Object.create(null)]])('%j is a record', (value) => {
  expect(isRecord(value)).toBe(true);
});

it.each([[undefined], [null], [''], ['text'], [0], [true], [[]], [[{}]], [() => ({})]])(
  '%j is not a record',
  (value) => {
    expect(isRecord(value)).toBe(false);
  },
);
