import { expect, it } from 'vitest';
import { invalid, valid } from './parsed.ts';

it('wraps a valid value', () => {
  expect(valid(80)).toEqual({ ok: true, value: 80 });
});

it('names the field and the message of an invalid value', () => {
  expect(invalid('port', 'Port number is required')).toEqual({
    ok: false,
    field: 'port',
    message: 'Port number is required',
  });
});
