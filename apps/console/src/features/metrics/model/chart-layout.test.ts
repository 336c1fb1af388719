import { expect, it } from 'vitest';
import {
  endLabels,
  releaseMarkers,
  scaleOf,
  spread,
  tableIndexes,
  valuesAt,
} from './chart-layout.ts';
import type { Chart } from './charts.ts';

function chart(change: Partial<Chart> = {}): Chart {
  return {
    key: 'cpu',
    title: 'CPU',
    unit: 'cpu',
    headline: ['', ''],
    series: [{ name: 'Instance 1', values: [0.1, null, 0.3] }],
    ...change,
  };
}

it.each([
  ['up to the limit', chart({ limit: 0.5 }), 0.5],
  ['beyond an exceeded limit', chart({ limit: 0.2 }), 0.4],
  ['up to a round number', chart(), 0.4],
  ['to something without numbers', chart({ series: [] }), 1],
])('scales %s', (_, each, maximum) => {
  expect(scaleOf(each).maximum).toBeCloseTo(maximum);
});

it('labels only lines that reach the end', () => {
  const series = [
    { name: 'a', values: [0.1, 0.2, 0.5, 0.5] },
    { name: 'b', values: [0.1, null, null, null] },
  ];
  expect(endLabels(chart({ series }), { maximum: 1, top: 1 })).toEqual([
    { name: 'a', text: '0.5 CPU', top: 0.5 },
    undefined,
  ]);
});

it.each([
  [
    [0.5, 0.2],
    [0.5, 0.2],
  ],
  [
    [0.5, 0.5],
    [0.5, 0.3],
  ],
  [
    [1, 0.95, 0.9],
    [0.92, 0.72, 0.52],
  ],
  [
    [undefined, 0.4],
    [undefined, 0.4],
  ],
])('keeps labels apart: %j', (wanted, expected) => {
  spread(wanted).forEach((top, index) => {
    if (top === undefined) expect(expected[index]).toBeUndefined();
    else expect(top).toBeCloseTo(expected[index] ?? -1);
  });
});

it('marks releases that went live within the range', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const releases = [
    { number: 5, outcome: 'live', endedAt: at(30) },
    { number: 4, outcome: 'failed', endedAt: at(20) },
    { number: 3, outcome: undefined, endedAt: undefined },
    { number: 2, outcome: 'live', endedAt: at(200) },
    { number: 1, outcome: 'live', endedAt: at(5) },
  ];
  expect(releaseMarkers(releases, [10_000, 50_000, 110_000])).toEqual([{ number: 5, left: 0.2 }]);
  expect(releaseMarkers(releases, [])).toEqual([]);
});

it('reads all lines at a time', () => {
  expect(valuesAt(chart(), 1, 'no data')).toEqual(['Instance 1 no data']);
  expect(valuesAt(chart(), 2, 'no data')).toEqual(['Instance 1 0.3 CPU']);
});

it.each([
  [0, []],
  [3, [0, 1, 2]],
  [60, 20],
  [672, 24],
])('has a table of %i points with few rows and the newest one', (length, expected) => {
  const rows = tableIndexes(length);
  if (Array.isArray(expected)) expect(rows).toEqual(expected);
  else expect([rows.length, rows.at(-1)]).toEqual([expected, length - 1]);
});
