import { describe, expect, it } from 'vitest';
import {
  emptyEnvRow,
  envOf,
  isEnvText,
  rowsOf,
  withoutRow,
  withPasted,
  withRow,
} from './env-rows.ts';

const empty = [emptyEnvRow([])];

describe('environment rows', () => {
  it('always keep one', () => {
    expect(withoutRow(empty, '1')).toEqual([{ id: '2', key: '', value: '' }]);
  });

  it('get an id of their own', () => {
    expect(withRow(withRow(empty)).map((row) => row.id)).toEqual(['1', '2', '3']);
  });

  it.each([
    ['A=1\nB=two', { A: '1', B: 'two' }],
    ['# note\nexport A="x y"\n\nB=\'=\'', { A: 'x y', B: '=' }],
    ['URL=postgres://u:p@h/db?x=1', { URL: 'postgres://u:p@h/db?x=1' }],
  ])('filled from the pasted text %j hold %j', (text, env) => {
    expect(envOf(withPasted(empty, '1', text))).toEqual(env);
  });

  it('pasted over a known key change its value', () => {
    const rows = rowsOf({ A: 'old' });
    expect(envOf(withPasted(withRow(rows), '2', 'A=new\nB=2'))).toEqual({ A: 'new', B: '2' });
  });

  it.each([
    ['DATABASE_URL', false],
    ['A=1', true],
    ['# only a note', false],
  ])('take %j for a file: %s', (text, isFile) => {
    expect(isEnvText(text)).toBe(isFile);
  });

  it('without key or without value are not sent', () => {
    const rows = [
      { id: '1', key: 'A', value: '' },
      { id: '2', key: '', value: 'x' },
      { id: '3', key: 'B', value: 'y' },
    ];
    expect(envOf(rows)).toEqual({ B: 'y' });
  });
});
