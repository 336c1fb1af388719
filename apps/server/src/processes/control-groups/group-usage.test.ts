import { expect, it } from 'vitest';
import { parseCpuSeconds, parseMemoryBytes, usageFiles } from './group-usage.ts';

it.each([
  [1, '1500000000\n', 1.5],
  [1, '', undefined],
  [1, 'usage_usec 5\n', undefined],
  [2, 'usage_usec 2500000\nuser_usec 1\n', 2.5],
  [2, 'nr_periods 4\nusage_usec 7000\n', 0.007],
  [2, '', undefined],
] as const)('reads the CPU time of version %i from %j', (version, text, expected) => {
  expect(parseCpuSeconds(version, text)).toBe(expected);
});

it.each([
  ['1000\n', 'inactive_file 300\nactive_file 1\n', 700],
  ['1000\n', 'inactive_file 1\ntotal_inactive_file 400\n', 600],
  ['1000\n', 'inactive_file 5000\n', 0],
  ['1000\n', '', 1000],
  ['', 'inactive_file 300\n', undefined],
])('reads the memory in use from %j and %j', (used, stat, expected) => {
  expect(parseMemoryBytes(used, stat)).toBe(expected);
});

it('finds the files of both versions', () => {
  const folders = { cpu: '/cpu/app', memory: '/memory/app' };
  expect(usageFiles(1, folders)).toEqual({
    cpu: '/cpu/app/cpuacct.usage',
    memory: '/memory/app/memory.usage_in_bytes',
    memoryStat: '/memory/app/memory.stat',
  });
  expect(usageFiles(2, { cpu: undefined, memory: '/app' })).toEqual({
    cpu: undefined,
    memory: '/app/memory.current',
    memoryStat: '/app/memory.stat',
  });
});
