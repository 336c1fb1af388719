import type { AppMetrics } from '@longshore/contract';
import { expect, it } from 'vitest';
import { timeGrid } from './metric-range.ts';
import { usageTiles } from './usage-tiles.ts';

const NOW = Date.parse('2026-01-31T12:00:30Z');
const MIB = 1024 ** 2;
const grid = timeGrid('1h', NOW);
const at = grid.times.at(-1) ?? 0;

function tiles(metrics: AppMetrics) {
  const size = { cpus: 0.5, memoryBytes: 512 * MIB };
  const found = usageTiles({ metrics, grid, size, engine: 'docker', createdAt: 0 });
  return found?.map(({ name, value, note }) => [name, value, note]);
}

const usage = ['1', '2'].map((instance) => ({
  at,
  instance,
  coveredMs: 60_000,
  cpuMs: 3_000 * Number(instance),
  memoryBytes: 100 * MIB,
  receivedBytes: 0,
  sentBytes: 0,
  diskBytes: 0,
}));

it('show the highest instance, requests and errors', () => {
  const traffic = [{ at, statuses: [0, 990, 0, 0, 10], latencies: [] }];
  expect(tiles({ usage, traffic })).toEqual([
    ['CPU', '0.1', 'of 0.5 CPU'],
    ['Memory', '100 MiB', 'of 512 MiB'],
    ['Requests', '1,000', 'per minute'],
    ['Errors (5xx)', '1 %', '10 of 1,000'],
  ]);
});

it('show a dash for what is unknown', () => {
  const traffic = [{ at, statuses: [0, 3, 0, 0, 0], latencies: [] }];
  expect(tiles({ usage: [], traffic })?.slice(0, 2)).toEqual([
    ['CPU', '–', ''],
    ['Memory', '–', ''],
  ]);
});

it('are missing without any number', () => {
  expect(tiles({ usage: [], traffic: [] })).toBeUndefined();
});
