import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret('hunter2');

it.each([
  ['String', String(secret)],
  ['a template', `${secret}`],
  ['JSON', JSON.stringify({ secret })],
  ['inspect', inspect({ secret }, { showHidden: true })],
  ['format', format('%s %o %j', secret, secret, secret)],
])('is hidden from %s', (_, printed) => {
  expect(printed).not.toContain('hunter2');
  expect(printed).toContain('[secret]');
});

it.each([
  ['hunter2', true],
  ['hunter', false],
  ['', false],
])('compares with %s', (other, isSame) => {
  expect(secret.equals(other)).toBe(isSame);
});

it('is returned by reveal', () => {
  expect(secret.reveal()).toBe('hunter2');
});
