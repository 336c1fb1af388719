import type { TrafficRow, UsageRow } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { type Chart, type ChartsInput, chartsOf } from './charts.ts';
import { timeGrid } from './metric-range.ts';

const NOW = Date.parse('2026-01-31T12:00:30Z');
const MIB = 1024 ** 2;
const GRID = timeGrid('1h', NOW);
const LAST = GRID.times.at(-1) ?? 0;

function used(minutesAgo: number, change: Partial<UsageRow> = {}): UsageRow {
  return {
    at: LAST - minutesAgo * 60_000,
    instance: '1',
    coveredMs: 60_000,
    cpuMs: 15_000,
    memoryBytes: 200 * MIB,
    receivedBytes: 60_000,
    sentBytes: 120_000,
    diskBytes: 30 * MIB,
    ...change,
  };
}

function requests(minutesAgo: number, change: Partial<TrafficRow> = {}): TrafficRow {
  return {
    at: LAST - minutesAgo * 60_000,
    statuses: [0, 90, 0, 8, 2],
    latencies: [50, 50],
    ...change,
  };
}

function charts(change: Partial<ChartsInput> & { usage?: UsageRow[]; traffic?: TrafficRow[] }) {
  const { usage = [], traffic = [], ...rest } = change;
  const all = chartsOf({
    metrics: { usage, traffic },
    grid: GRID,
    size: { cpus: 0.5, memoryBytes: 512 * MIB },
    instance: undefined,
    createdAt: 0,
    engine: 'docker',
    ...rest,
  });
  return Object.fromEntries(all.map((chart) => [chart.key, chart])) as Record<Chart['key'], Chart>;
}

const lastOf = ({ series }: Chart) =>
  series.map(({ name, values }) => [name, values.at(-1)] as const);

describe('a running instance', () => {
  const { cpu, memory, network, disk } = charts({ usage: [used(1), used(0)] });

  it('is shown against the limits of its size', () => {
    expect(lastOf(cpu)).toEqual([['Instance 1', 0.25]]);
    expect(cpu.limit).toBe(0.5);
    expect(cpu.headline).toEqual(['0.25', 'of 0.5 CPU now · peak 0.25']);
    expect(lastOf(memory)).toEqual([['Instance 1', 200 * MIB]]);
    expect(memory.headline).toEqual(['200 MiB', 'of 512 MiB now · peak 200 MiB']);
  });

  it('is shown with its network and disk', () => {
    expect(lastOf(network)).toEqual([
      ['Out', 2_000],
      ['In', 1_000],
    ]);
    expect(network.headline).toEqual(['2 kB/s', 'out, 1 kB/s in now']);
    expect(disk.headline).toEqual(['30 MiB', 'now']);
  });

  it('has gaps where it was not measured', () => {
    const [series] = cpu.series;
    expect(series?.values).toHaveLength(60);
    expect(series?.values.slice(0, 58).every((value) => value === null)).toBe(true);
  });
});

describe('several instances', () => {
  const usage = ['1', '2'].flatMap((instance) => [
    used(3, { instance }),
    used(2, { instance }),
    used(1, { instance }),
    used(0, { instance, cpuMs: instance === '1' ? 6_000 : 12_000 }),
  ]);

  it('have a line each, and one number together', () => {
    const { cpu, disk } = charts({ usage });
    expect(lastOf(cpu)).toEqual([
      ['Instance 1', 0.1],
      ['Instance 2', 0.2],
    ]);
    expect(cpu.headline).toEqual(['0.3', 'of 1 CPU now · peak 0.5']);
    expect(disk.headline[0]).toBe('30 MiB');
  });

  it('can be shown alone', () => {
    const { cpu } = charts({ usage, instance: '2' });
    expect(lastOf(cpu)).toEqual([['Instance 2', 0.2]]);
    expect(cpu.headline[1]).toBe('of 0.5 CPU now · peak 0.25');
  });

  it('become two lines if there are more than three', () => {
    const many = ['1', '2', '3', '4'].flatMap((instance) =>
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((ago) =>
        used(ago, { instance, cpuMs: 6_000 * Number(instance) }),
      ),
    );
    expect(lastOf(charts({ usage: many }).cpu)).toEqual([
      ['Highest', 0.4],
      ['Average', 0.25],
    ]);
  });
});

describe('an engine that does not measure', () => {
  const nothing = { cpuMs: null, memoryBytes: null, receivedBytes: null, sentBytes: null };
  const usage = [used(0, { ...nothing, diskBytes: null })];
  const { cpu, memory, network, disk } = charts({ usage });
  it('gives the reason on a cluster', () => {
    const onCluster = charts({ usage, engine: 'kubernetes' });
    expect(onCluster.cpu.missing).toMatch(/Metrics Server/);
    expect(onCluster.network.missing).toMatch(/Kubernetes/);
  });
  it.each([cpu, memory, network, disk])('says so: $key', ({ missing, headline }) => {
    expect(missing).toMatch(/is not measured/);
    expect(headline).toEqual(['', 'Nothing runs now']);
  });
});

describe('requests', () => {
  const { requests: all, errors, latency } = charts({ traffic: [requests(2), requests(0)] });

  it('are counted per minute, by class, with percentiles', () => {
    expect(lastOf(all)).toEqual([['All', 100]]);
    expect(all.headline).toEqual(['100', 'per minute now · 200 in all']);
    expect(lastOf(errors)).toEqual([
      ['5xx', 2],
      ['4xx', 8],
    ]);
    expect(errors.headline).toEqual(['2 %', 'of requests are 5xx now · peak 2 per minute']);
    expect(lastOf(latency)).toEqual([
      ['p95', 9.5],
      ['p50', 5],
      ['p99', 9.9],
    ]);
    expect(latency.headline).toEqual(['9.5 ms', 'p95 now · peak 9.5 ms']);
  });

  it('are zero without a row, and have no response time then', () => {
    expect(all.series[0]?.values.at(-2)).toBe(0);
    expect(latency.series[0]?.values.at(-2)).toBeNull();
  });

  it('have a gap before the app existed, unless it was counted', () => {
    const { requests: young } = charts({ createdAt: LAST - 60_000 });
    expect(young.series[0]?.values.slice(-3)).toEqual([null, 0, 0]);
    const { requests: counted } = charts({ createdAt: LAST - 60_000, traffic: [requests(3)] });
    expect(counted.series[0]?.values.slice(-4)).toEqual([100, null, 0, 0]);
  });

  it('of the current quarter of an hour are divided by its minutes so far', () => {
    const grid = timeGrid('24h', NOW + 5 * 60_000);
    const at = grid.times.at(-1) ?? 0;
    const [, , quarter] = chartsOf({
      metrics: { usage: [], traffic: [requests(0, { at, statuses: [0, 55, 0, 0, 0] })] },
      grid,
      size: undefined,
      instance: undefined,
      createdAt: 0,
      engine: 'docker',
    });
    expect(quarter?.series[0]?.values.at(-1)).toBe(10);
  });
});

it('says that nothing runs when the newest number is old', () => {
  const { cpu, latency } = charts({ usage: [used(5)], traffic: [requests(5)] });
  expect(cpu.headline).toEqual(['', 'Nothing runs now']);
  expect(latency.headline).toEqual(['', 'No requests now']);
  expect(cpu.missing).toBeUndefined();
});

it.each([
  ['1h', 60, 1],
  ['6h', 360, 1],
  ['24h', 96, 15],
  ['7d', 672, 15],
] as const)('shows %s as %i points', (range, points, minutes) => {
  const { times, stepMs } = timeGrid(range, NOW);
  expect(times).toHaveLength(points);
  expect(stepMs).toBe(minutes * 60_000);
  expect(times.every((at) => at % stepMs === 0)).toBe(true);
  expect((times.at(-1) ?? 0) <= NOW).toBe(true);
});
