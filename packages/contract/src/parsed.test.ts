import { expect, it } from 'vitest';
import { accepted, isRecord, refused } from './parsed.ts';

it('answers with the value when it is accepted', () => {
  expect(accepted(80)).toEqual({ ok: true, value: 80 });
});

it('answers with the field and its sentence when it is refused', () => {
  expect(refused('port', 'Port number is required')).toEqual({
    ok: false,
    field: 'port',
    message: 'Port number is required',
  });
});

it.each([[{}], [{ a: 1 }], [Object.create(null)]])('takes %j for a record', (value) => {
  expect(isRecord(value)).toBe(true);
});

it.each([[undefined], [null], [''], ['text'], [0], [true], [[]], [[{}]], [() => ({})]])(
  'takes %j for no record',
  (value) => {
    expect(isRecord(value)).toBe(false);
  },
);
