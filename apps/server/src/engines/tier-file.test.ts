import { expect, it } from 'vitest';
import { parseTiers } from './tier-file.ts';

const MIB = 1024 ** 2;
const t1 = { name: 't1', cpus: 0.5, memoryMb: 512 };
const parse = (rows: unknown) => parseTiers(JSON.stringify(rows));

it('reads sizes, smallest first', () => {
  const large = { name: 'large', cpus: 4, memoryMb: 8_192, processes: 2_048 };
  const small = { name: 'small', cpus: 0.1, memoryMb: 128 };
  expect(parse([large, t1, small])).toEqual({
    ok: true,
    tiers: [
      { name: 'small', cpus: 0.1, memoryBytes: 128 * MIB, processes: 256 },
      { name: 't1', cpus: 0.5, memoryBytes: 512 * MIB, processes: 256 },
      { name: 'large', cpus: 4, memoryBytes: 8_192 * MIB, processes: 2_048 },
    ],
  });
});

it.each([
  [{ t1: {} }, /^must be a file with a JSON list such as \[.+\]\.$/],
  [[], /^must contain the size "t1"/],
  [[{ ...t1, name: 't2' }], /^must contain the size "t1"/],
  [['t1'], /^has a size with a wrong "name": "t1" needs/],
  [[{ ...t1, name: 'T 1' }], /^has a size with a wrong "name"/],
  [[{ ...t1, name: 1 }], /^has a size with a wrong "name"/],
  [[t1, t1], /^has two sizes with the name "t1"\.$/],
  [[{ ...t1, memory: 1 }], /^has an unknown field "memory" in the size "t1"\.$/],
  [[{ ...t1, cpus: '1' }], /^has a wrong "cpus" in the size "t1": it must be a number from 0\.05/],
  [[{ ...t1, cpus: 0 }], /^has a wrong "cpus"/],
  [[{ ...t1, memoryMb: 512.5 }], /^has a wrong "memoryMb" in the size "t1": it must be a whole/],
  [[{ name: 't1', cpus: 1 }], /^has a wrong "memoryMb"/],
  [[{ ...t1, processes: 1 }], /^has a wrong "processes"/],
])('refuses %j', (rows, problem) => {
  expect(parse(rows)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
});

it('refuses what is no JSON', () => {
  expect(parseTiers('[{')).toMatchObject({ problem: expect.stringMatching(/^must be a file/) });
});
