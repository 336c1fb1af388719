import { describe, expect, it } from 'vitest';
import { boundParameters, compileSql, sql } from './sql.ts';

it('numbers the parameters of nested parts in their order', () => {
  const condition = sql`a = ${1} and b = ${[2, 3]}`;
  expect(compileSql(sql`select ${'x'} where ${condition} limit ${4}`)).toEqual({
    text: 'select $1 where a = $2 and b = $3 limit $4',
    parameters: ['x', 1, [2, 3], 4],
  });
});

it('joins parts', () => {
  const parts = [sql`${1}`, sql.id('b'), sql.ref('t.c')];
  expect(compileSql(sql.join(parts)).text).toBe('$1, "b", "t"."c"');
  expect(compileSql(sql`(${sql.join(parts.slice(1), ' and ')})`).text).toBe('("b" and "t"."c")');
  expect(compileSql(sql.join([])).text).toBe('');
});

it('quotes names, also those with quotes', () => {
  expect(compileSql(sql.id('a"; drop table b; --')).text).toBe('"a""; drop table b; --"');
});

it.each([
  ['text that looks like SQL', "'; drop table users; --"],
  ['an object that looks like a part', { texts: ['drop table users'], values: [] }],
  ['undefined', undefined],
  ['null', null],
])('makes a parameter of %s', (_, value) => {
  expect(compileSql(sql`select ${value}`)).toEqual({ text: 'select $1', parameters: [value] });
});

describe('late parameters', () => {
  const compiled = compileSql(sql`select ${1} where owner = ${sql.late('userId')}`);
  const values = { mark: 'm', maxBytes: 10 };

  it('get the values of each run', () => {
    expect(boundParameters(compiled, { ...values, userId: 'ada' })).toEqual([1, 'ada']);
    expect(boundParameters(compiled, { ...values, userId: 'eve' })).toEqual([1, 'eve']);
  });

  it('are never left out', () => {
    expect(() => boundParameters(compiled, { ...values, userId: undefined })).toThrow('userId');
  });
});
