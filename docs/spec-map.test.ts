import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

type Row = {
  number: string;
  sentence: string;
  state: string;
  files: string[];
  tests: string[];
  asksNothing: boolean;
};

const ROOT = resolve(import.meta.dirname, '..');
const STATES = ['done', 'partly', 'not yet'];
const REASON = / — \*(?:Missing|Differs): /;
const ROW = /^\| *\d[\d.]* *\|/;

describe('the specification map', () => {
  const rows = readRows(readFileSync(resolve(ROOT, 'docs/spec-map.md'), 'utf8'));

  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(400);
  });

  it('gives every row a number of its own', () => {
    const numbers = rows.map((row) => row.number);
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('knows the state of every row', () => {
    expect(numbersOf(rows, (row) => !STATES.includes(row.state))).toEqual([]);
  });

  it('names only files and tests that exist', () => {
    const paths = new Set(rows.flatMap((row) => [...row.files, ...row.tests]));
    expect([...paths].filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });

  it('names a file wherever something is built', () => {
    const isBare = (row: Row) => row.state !== 'not yet' && row.files.length === 0;
    expect(numbersOf(rows, (row) => isBare(row) && !row.asksNothing)).toEqual([]);
  });

  it('names a test wherever something is done', () => {
    const isUntested = (row: Row) => row.state === 'done' && row.tests.length === 0;
    expect(numbersOf(rows, (row) => isUntested(row) && !row.asksNothing)).toEqual([]);
  });

  it('says why wherever something is partly there', () => {
    const isSilent = (row: Row) => row.state === 'partly' && !REASON.test(row.sentence);
    expect(numbersOf(rows, isSilent)).toEqual([]);
  });
});

function readRows(map: string): Row[] {
  return map
    .split('\n')
    .filter((line) => ROW.test(line))
    .map(readRow);
}

function readRow(line: string): Row {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, number = '', sentence = '', state = '', file = '', test = ''] = cells;
  return {
    number,
    sentence,
    state,
    files: pathsIn(file),
    tests: pathsIn(test),
    asksNothing: file === 'nothing to build',
  };
}

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

function numbersOf(rows: Row[], isWrong: (row: Row) => boolean): string[] {
  return rows.filter(isWrong).map((row) => row.number);
}
