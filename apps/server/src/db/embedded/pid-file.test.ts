import { describe, expect, it } from 'vitest';
import { isPostgresOf, parsePidFile } from './pid-file.ts';

const WRITTEN = '4242\n/data-dir/data\n1790000000\n5432\n/data-dir/run\n\n  12345 1\n';

describe('parsePidFile', () => {
  it.each([
    ['ready', `${WRITTEN}ready   \n`, { pid: 4242, isReady: true }],
    ['still starting', `${WRITTEN}starting\n`, { pid: 4242, isReady: false }],
    ['cut off after the pid', '4242\n', { pid: 4242, isReady: false }],
    ['empty', '', undefined],
    ['not a pid', 'x\n', undefined],
    ['a pid that is never a database', '1\n', undefined],
    ['a process group', '-4242\n', undefined],
  ])('parses a file that is %s', (_, text, expected) => {
    expect(parsePidFile(text)).toEqual(expected);
  });
});

describe('isPostgresOf', () => {
  it.each([
    [
      'the Postgres of the data folder',
      ['/programs/bin/postgres', '-D', '/data-dir/data', '-k', '/run'],
      true,
    ],
    ['one of another folder', ['/programs/bin/postgres', '-D', '/other/data'], false],
    ['another program', ['/usr/bin/vim', '-D', '/data-dir/data'], false],
    ['a process that ended', [], false],
  ])('recognises %s', (_, argv, expected) => {
    expect(isPostgresOf('/data-dir/data', argv)).toBe(expected);
  });
});
