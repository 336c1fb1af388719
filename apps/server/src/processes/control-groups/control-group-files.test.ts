import { expect, it } from 'vitest';
import { limitFiles, parseMemoryKills, parsePids } from './control-group-files.ts';

const LIMITS = { memoryBytes: 512, cpus: 0.5, processes: 256 };

it.each([
  [
    2 as const,
    [
      'memory memory.max 512',
      'memory memory.swap.max 0 optional',
      'cpu cpu.max 50000 100000',
      'pids pids.max 256',
    ],
  ],
  [
    1 as const,
    [
      'memory memory.limit_in_bytes 512',
      'memory memory.memsw.limit_in_bytes 512 optional',
      'memory memory.kmem.tcp.limit_in_bytes 512 optional',
      'cpu cpu.cfs_period_us 100000',
      'cpu cpu.cfs_quota_us 50000',
      'pids pids.max 256',
    ],
  ],
])('lists the limit files of version %i', (version, expected) => {
  const written = limitFiles(version, LIMITS).map(
    ({ controller, file, value, isOptional }) =>
      `${controller} ${file} ${value}${isOptional ? ' optional' : ''}`,
  );
  expect(written).toEqual(expected);
});

it.each([
  ['low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 9\n', 2],
  ['oom_kill_disable 0\nunder_oom 0\noom_kill 1\n', 1],
  ['', 0],
])('counts the killed processes in %j', (text, kills) => {
  expect(parseMemoryKills(text)).toBe(kills);
});

it('parses the pids of a group', () => {
  expect(parsePids('12\n7\n')).toEqual([12, 7]);
  expect(parsePids('')).toEqual([]);
});
