import { expect, it } from 'vitest';
import { axisText, type MetricUnit, metricText, niceMaximum, shareText } from './metric-text.ts';

const MIB = 1024 ** 2;

it.each<[number, MetricUnit, string]>([
  [0.25, 'cpu', '0.25 CPU'],
  [0.0042, 'cpu', '0.004 CPU'],
  [2, 'cpu', '2 CPU'],
  [0, 'bytes', '0 KiB'],
  [300 * 1024, 'bytes', '300 KiB'],
  [2.5 * MIB, 'bytes', '2.5 MiB'],
  [221.4 * MIB, 'bytes', '221 MiB'],
  [1536 * MIB, 'bytes', '1.5 GiB'],
  [12, 'rate', '12 B/s'],
  [3_400, 'rate', '3.4 kB/s'],
  [3_400_000, 'rate', '3.4 MB/s'],
  [684.2, 'count', '684 /min'],
  [918_771, 'count', '918,771 /min'],
  [0.44, 'count', '0.4 /min'],
  [84.2, 'duration', '84 ms'],
  [2_460, 'duration', '2.5 s'],
])('writes %d of %s as %s', (value, unit, expected) => {
  expect(metricText(value, unit)).toBe(expected);
});

it.each<[number, MetricUnit, string]>([
  [0, 'bytes', '0'],
  [0.5, 'cpu', '0.5'],
  [1_200, 'count', '1,200'],
  [250, 'duration', '250 ms'],
])('writes %d of %s on an axis as %s', (value, unit, expected) => {
  expect(axisText(value, unit)).toBe(expected);
});

it.each<[number, MetricUnit, number]>([
  [0, 'count', 1],
  [0, 'duration', 10],
  [0, 'bytes', MIB],
  [0.13, 'cpu', 0.2],
  [1_095, 'count', 2_000],
  [600, 'count', 600],
  [246, 'duration', 400],
  [230 * MIB, 'bytes', 400 * MIB],
  [1.2 * 1024 * MIB, 'bytes', 2 * 1024 * MIB],
])('ends an axis with %d of %s at %d', (value, unit, expected) => {
  expect(niceMaximum(value, unit)).toBeCloseTo(expected, 6);
});

it('writes shares', () => {
  expect([shareText(0.001), shareText(0), shareText(1)]).toEqual(['0.1 %', '0 %', '100 %']);
});
