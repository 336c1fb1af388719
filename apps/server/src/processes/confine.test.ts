import { expect, it } from 'vitest';
import { confineArgv, parseHardLimit } from './confine.ts';

const hardLimits = { openFiles: 1_000, processes: Number.POSITIVE_INFINITY };
const argv = ['node', '--', '-x'] as const;

it('prefixes an unchanged argv with programs that drop privileges and set limits', () => {
  const tools = { setpriv: '/usr/bin/setpriv', prlimit: '/usr/bin/prlimit', hardLimits };
  expect(confineArgv(argv, { processes: 5, fileBytes: 9, dataBytes: 7 }, tools)).toEqual([
    '/usr/bin/setpriv',
    '--no-new-privs',
    '--',
    '/usr/bin/prlimit',
    '--core=1',
    '--nproc=5',
    '--fsize=9',
    '--data=7',
    '--',
    ...argv,
  ]);
});

it('caps limits at the hard limits of the machine', () => {
  const tools = { prlimit: 'prlimit', hardLimits };
  expect(confineArgv(argv, { openFiles: 5_000 }, tools)).toContain('--nofile=1000');
});

it('returns the argv unchanged when the tools are missing', () => {
  expect(confineArgv(argv, { processes: 5 }, { hardLimits })).toEqual(argv);
});

it.each([
  ['Max open files            1024                 524288               files', 524_288],
  ['Max open files            1024                 unlimited            files', Infinity],
  ['', Infinity],
])('reads the hard limit of "%s"', (limits, expected) => {
  expect(parseHardLimit(limits, 'Max open files')).toBe(expected);
});
