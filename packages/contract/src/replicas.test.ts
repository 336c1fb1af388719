import { expect, it } from 'vitest';
import { capacityProblem, parseReplicas, replicasOf, replicasProblem } from './replicas.ts';
import { DEFAULT_TIERS } from './tier.ts';

const GIB = 1024 ** 3;
const tiers = { tiers: DEFAULT_TIERS, machine: { cpus: 2, memoryBytes: 2 * GIB } };

it('is one unless it is set', () => {
  expect(replicasOf({})).toBe(1);
  expect(replicasOf({ replicas: 4 })).toBe(4);
});

it.each([1, 50, '1', ' 12 '])('accepts %j', (replicas) => {
  expect(replicasProblem(replicas)).toBeUndefined();
});

it.each([0, -1, 51, 1.5, '', 'two', '1e1', null, undefined, [2], true])(
  'refuses %j',
  (replicas) => {
    expect(replicasProblem(replicas)).toBe('Must be a whole number between 1 and 50');
  },
);

it.each([
  [4, 't1', undefined],
  [5, 't1', '5 instances need 2.5 GiB of memory, and this machine has 2 GiB'],
  [1, 't5', undefined],
  [2, 't3', '2 instances need 4 GiB of memory, and this machine has 2 GiB'],
])('says whether %i instances of %s fit on the machine', (replicas, tier, problem) => {
  expect(capacityProblem(replicas, tier, tiers)).toBe(problem);
});

it.each<[string, unknown, unknown, object]>([
  ['an absent value', undefined, {}, { ok: true, value: undefined }],
  ['null as absent', null, {}, { ok: true, value: undefined }],
  ['a number', 3, {}, { ok: true, value: 3 }],
  ['text not', '3', {}, { ok: false, field: 'replicas' }],
  ['too many not', 9, {}, { ok: false, field: 'replicas' }],
  ['as many as are stored', 9, { replicas: 9, resourceTier: 't1' }, { ok: true, value: 9 }],
  ['as many of another size not', 9, { replicas: 9, resourceTier: 't2' }, { ok: false }],
])('takes %s', (_, replicas, before, parsed) => {
  const context = { resourceTier: 't1', tiers, before };
  expect(parseReplicas(replicas, context)).toMatchObject(parsed);
});
