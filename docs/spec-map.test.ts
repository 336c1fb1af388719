import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

type Row = {
  number: string;
  sentence: string;
  state: string;
  files: string[];
  tests: string[];
  needsNoCode: boolean;
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

  it('has unique row numbers', () => {
    const numbers = rows.map((row) => row.number);
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('has a known state in every row', () => {
    expect(numbersOf(rows, (row) => !STATES.includes(row.state))).toEqual([]);
  });

  it('names only existing files and tests', () => {
    const paths = new Set(rows.flatMap((row) => [...row.files, ...row.tests]));
    expect([...paths].filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });

  it('names a file in every row that is built', () => {
    const lacksFile = (row: Row) => row.state !== 'not yet' && row.files.length === 0;
    expect(numbersOf(rows, (row) => lacksFile(row) && !row.needsNoCode)).toEqual([]);
  });

  it('names a test in every row that is done', () => {
    const lacksTest = (row: Row) => row.state === 'done' && row.tests.length === 0;
    expect(numbersOf(rows, (row) => lacksTest(row) && !row.needsNoCode)).toEqual([]);
  });

  it('has the state "partly" in exactly the rows that miss something or differ', () => {
    const contradictsState = (row: Row) => (row.state === 'partly') !== REASON.test(row.sentence);
    expect(numbersOf(rows, contradictsState)).toEqual([]);
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
    needsNoCode: file === 'nothing to build',
  };
}

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

function numbersOf(rows: Row[], matches: (row: Row) => boolean): string[] {
  return rows.filter(matches).map((row) => row.number);
}
