import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS, largerTiers, offeredTiers, sizeOf, sizeText, tierProblem } from './tier.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const large = { tiers: DEFAULT_TIERS, machine: { cpus: 8, memoryBytes: 16 * GIB } };
const small = { tiers: DEFAULT_TIERS, machine: { cpus: 2, memoryBytes: 3.85 * GIB } };
const tiny = { tiers: DEFAULT_TIERS, machine: { cpus: 1, memoryBytes: 400 * MIB } };
const namesOf = (tiers: readonly { name: string }[]) => tiers.map(({ name }) => name);

it.each([
  [{ cpus: 0.5, memoryBytes: 512 * MIB }, '0.5 CPU, 512 MiB'],
  [{ cpus: 1, memoryBytes: GIB }, '1 CPU, 1 GiB'],
  [{ cpus: 2, memoryBytes: 1.5 * GIB }, '2 CPU, 1.5 GiB'],
  [{ cpus: 2, memoryBytes: 4 * GIB - 1 }, '2 CPU, 3.9 GiB'],
])('%j is shown as %s', (size, text) => {
  expect(sizeText(size)).toBe(text);
});

it('goes from the size that every app had before to 4 CPU and 8 GiB', () => {
  expect(DEFAULT_TIERS.map(sizeText)).toEqual([
    '0.5 CPU, 512 MiB',
    '1 CPU, 1 GiB',
    '1 CPU, 2 GiB',
    '2 CPU, 4 GiB',
    '4 CPU, 8 GiB',
  ]);
});

it.each([
  ['all sizes', large, ['t1', 't2', 't3', 't4', 't5']],
  ['those that fit on the machine', small, ['t1', 't2', 't3']],
  ['the default size on any machine', tiny, ['t1']],
])('offers %s', (_, table, names) => {
  expect(namesOf(offeredTiers(table))).toEqual(names);
});

describe('a size is refused', () => {
  it.each([
    ['t2', small, undefined],
    ['t1', tiny, undefined],
    ['t9', small, 'Must be one of t1, t2, t3'],
    ['constructor', small, 'Must be one of t1, t2, t3'],
    ['t4', small, 't4 (2 CPU, 4 GiB) is larger than this machine (2 CPU, 3.8 GiB)'],
  ])('%s: %o', (name, table, problem) => {
    expect(tierProblem(name, table)).toBe(problem);
  });
});

it.each([
  ['t1', large, ['t2', 't3', 't4', 't5']],
  ['t3', large, ['t4', 't5']],
  ['t3', small, []],
  ['gone', small, ['t2', 't3']],
])('offers instead of %s more memory', (name, table, names) => {
  expect(namesOf(largerTiers(name, table))).toEqual(names);
});

it.each([
  ['t2', large, { cpus: 1, memoryBytes: GIB, processes: 512 }],
  ['t5', small, { cpus: 2, memoryBytes: 8 * GIB, processes: 1_024 }],
  ['gone', large, { cpus: 0.5, memoryBytes: 512 * MIB, processes: 256 }],
  [undefined, large, { cpus: 0.5, memoryBytes: 512 * MIB, processes: 256 }],
])('an app that is stored with %s runs with a size', (name, table, size) => {
  expect(sizeOf(name, table)).toEqual(size);
});
