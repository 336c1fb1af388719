import { expect, it } from 'vitest';
import { confineArgv, parseHardLimit } from './confine.ts';

const hardLimits = { openFiles: 1_000, processes: Number.POSITIVE_INFINITY };
const argv = ['node', '--', '-x'] as const;

it('takes privileges away and sets limits, in front of an untouched argv', () => {
  const tools = { setpriv: '/usr/bin/setpriv', prlimit: '/usr/bin/prlimit', hardLimits };
  expect(confineArgv(argv, { processes: 5, fileBytes: 9, dataBytes: 7 }, tools)).toEqual([
    '/usr/bin/setpriv',
    '--no-new-privs',
    '--',
    '/usr/bin/prlimit',
    '--core=0',
    '--nproc=5',
    '--fsize=9',
    '--data=7',
    '--',
    ...argv,
  ]);
});

it('never asks for more than the machine allows', () => {
  const tools = { prlimit: 'prlimit', hardLimits };
  expect(confineArgv(argv, { openFiles: 5_000 }, tools)).toContain('--nofile=1000');
});

it('leaves the argv as it is where the tools are missing', () => {
  expect(confineArgv(argv, { processes: 5 }, { hardLimits })).toEqual(argv);
});

it.each([
  ['Max open files            1024                 524288               files', 524_288],
  ['Max open files            1024                 unlimited            files', Infinity],
  ['', Infinity],
])('reads the hard limit of "%s"', (limits, expected) => {
  expect(parseHardLimit(limits, 'Max open files')).toBe(expected);
});
