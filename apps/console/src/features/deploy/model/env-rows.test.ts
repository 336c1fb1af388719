import { describe, expect, it } from 'vitest';
import {
  addRow,
  emptyEnvRow,
  envFromRows,
  isEnvText,
  pasteEnv,
  removeRow,
  rowsFromEnv,
} from './env-rows.ts';

const empty = [emptyEnvRow([])];

describe('environment rows', () => {
  it('always contain at least one', () => {
    expect(removeRow(empty, '1')).toEqual([{ id: '2', key: '', value: '' }]);
  });

  it('have unique ids', () => {
    expect(addRow(addRow(empty)).map((row) => row.id)).toEqual(['1', '2', '3']);
  });

  it.each([
    ['A=1\nB=two', { A: '1', B: 'two' }],
    ['# note\nexport A="x y"\n\nB=\'=\'', { A: 'x y', B: '=' }],
    ['URL=postgres://u:p@h/db?x=1', { URL: 'postgres://u:p@h/db?x=1' }],
  ])('filled from the pasted text %j contain %j', (text, env) => {
    expect(envFromRows(pasteEnv(empty, '1', text))).toEqual(env);
  });

  it('pasted with an existing key change its value', () => {
    const rows = rowsFromEnv({ A: 'old' });
    expect(envFromRows(pasteEnv(addRow(rows), '2', 'A=new\nB=2'))).toEqual({ A: 'new', B: '2' });
  });

  it.each([
    ['DATABASE_URL', false],
    ['A=1', true],
    ['# only a note', false],
  ])('recognise %j as a .env file: %s', (text, isFile) => {
    expect(isEnvText(text)).toBe(isFile);
  });

  it('without key or value are not sent', () => {
    const rows = [
      { id: '1', key: 'A', value: '' },
      { id: '2', key: '', value: 'x' },
      { id: '3', key: 'B', value: 'y' },
    ];
    expect(envFromRows(rows)).toEqual({ B: 'y' });
  });
});
