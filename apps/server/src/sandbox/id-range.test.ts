import { expect, it } from 'vitest';
import { appIdRange, assignId, edgeId } from './id-range.ts';

it.each([
  ['the whole machine', '0 0 4294967295', { first: 1_900_000_000, count: 200_000_000 }],
  ['a container', '0 100000 65536', { first: 21_846, count: 43_688 }],
  ['a container with two ranges', '0 1000 1\n1 100000 65536', { first: 21_847, count: 43_688 }],
  ['a user namespace with one id', '0 1000 1', undefined],
  ['an empty map', '', undefined],
])('chooses the id range for %s', (_, idMap, range) => {
  expect(appIdRange(idMap)).toEqual(range);
});

it('gives the edge of each installation an id that no app gets', () => {
  const [range, small] = ['0 0 4294967295', '0 100000 65536'].map((map) => appIdRange(map));
  const ids = ['one', 'two'].map((installation) =>
    edgeId(range ?? { first: 0, count: 0 }, installation),
  );
  expect(ids[0]).not.toBe(ids[1]);
  for (const id of ids) {
    expect(id).toBeLessThan(1_900_000_000);
    expect(id).toBeGreaterThanOrEqual(1_899_000_000);
  }
  expect(edgeId(small ?? { first: 0, count: 0 }, 'one')).toBe(21_845);
});

it('assigns the same id to the same app, and never one in use', () => {
  const range = { first: 100, count: 3 };
  const first = assignId('app', range, new Set());
  expect(assignId('app', range, new Set())).toBe(first);
  const second = assignId('app', range, new Set([first]));
  const third = assignId('app', range, new Set([first, second]));
  expect([first, second, third].sort()).toEqual([100, 101, 102]);
  expect(() => assignId('app', range, new Set([100, 101, 102]))).toThrow('No free user id');
});
