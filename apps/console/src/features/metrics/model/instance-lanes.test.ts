import type { UsageRow } from '@longshore/contract';
import { expect, it } from 'vitest';
import { instanceLanes } from './instance-lanes.ts';

/** The rows of an instance from one minute to another. */
function rowsOf(instance: string, from: number, to: number): UsageRow[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    at: (from + index) * 60_000,
    instance,
    coveredMs: 60_000,
    cpuMs: 0,
    memoryBytes: 0,
    receivedBytes: 0,
    sentBytes: 0,
    diskBytes: 0,
  }));
}

it.each<[string, UsageRow[], [string, number][]]>([
  ['nothing', [], []],
  ['one instance', rowsOf('1', 0, 9), [['1', 10]]],
  ['an instance after a pause', [...rowsOf('1', 0, 3), ...rowsOf('2', 8, 9)], [['2', 6]]],
  ['a replaced instance', [...rowsOf('1', 0, 5), ...rowsOf('2', 5, 9)], [['2', 10]]],
  ['a slowly replaced one', [...rowsOf('1', 0, 6), ...rowsOf('2', 5, 9)], [['2', 10]]],
  [
    'two instances',
    [...rowsOf('1', 0, 9), ...rowsOf('2', 0, 9)],
    [
      ['1', 10],
      ['2', 10],
    ],
  ],
  [
    'two instances that are replaced',
    [...rowsOf('1', 0, 4), ...rowsOf('2', 0, 4), ...rowsOf('3', 5, 9), ...rowsOf('4', 5, 9)],
    [
      ['3', 10],
      ['4', 10],
    ],
  ],
  [
    'another process',
    [...rowsOf('1', 0, 3), ...rowsOf('worker.2', 4, 5), ...rowsOf('worker.3', 6, 7)],
    [
      ['1', 4],
      ['worker.3', 4],
    ],
  ],
  ['ten instances', [...rowsOf('9', 0, 3), ...rowsOf('10', 4, 5)], [['10', 6]]],
])('shows %s', (_, usage, expected) => {
  const lanes = instanceLanes(usage, { stepMs: 60_000 });
  expect(lanes.map(({ instance, rows }) => [instance, rows.length])).toEqual(expected);
});

it('has one row for each time', () => {
  const [lane] = instanceLanes([...rowsOf('1', 0, 6), ...rowsOf('2', 5, 9)], { stepMs: 60_000 });
  expect(lane?.rows.map(({ at }) => at / 60_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
