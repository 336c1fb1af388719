import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { UsageMinute } from '../apps/usage-minutes.ts';
import type { InstanceUsage } from '../engines/engine.ts';
import { startUsageSampler } from './usage-sampler.ts';

const START = Date.parse('2026-01-31T12:00:00Z');

function start(usages: (clock: { now(): number }) => InstanceUsage[]) {
  const clock = createSimulatedClock(START);
  const stored: UsageMinute[][] = [];
  const errors: unknown[] = [];
  const faults = { engine: false, database: false };
  let samples = 0;
  const sampler = startUsageSampler({
    engine: {
      async usage() {
        samples += 1;
        if (faults.engine) throw new Error('engine');
        return usages(clock);
      },
    },
    rows: {
      async add(minutes) {
        if (faults.database) throw new Error('database');
        stored.push(minutes);
      },
    },
    clock,
    logError: (error) => errors.push(error),
  });
  return { clock, stored, errors, faults, sampler, samples: () => samples };
}

/** Uses a tenth of a processor, and sends 100 bytes per second. */
function steady(clock: { now(): number }, instanceId = '1'): InstanceUsage {
  const seconds = (clock.now() - START) / 1_000;
  return {
    appId: 'app',
    instanceId,
    cpuSeconds: seconds / 10,
    networkSentBytes: seconds * 100,
    memoryBytes: 1_000 + seconds,
  };
}

it('stores each minute once it is over', async () => {
  const run = start((clock) => [steady(clock)]);
  await run.clock.advance(59_000);
  expect(run.stored).toEqual([]);
  await run.clock.advance(122_000);
  const minutes = run.stored.flat();
  expect(minutes.map(({ minute }) => minute - START / 60_000)).toEqual([0, 1, 2]);
  for (const { coveredMs, cpuSeconds, sentBytes } of minutes) {
    expect(coveredMs).toBe(60_000);
    expect(cpuSeconds).toBeCloseTo(6);
    expect(sentBytes).toBeCloseTo(6_000);
  }
  expect(minutes.map(({ memoryBytes }) => memoryBytes)).toEqual([1_060, 1_120, 1_180]);
  await run.sampler.stop();
  expect(run.errors).toEqual([]);
});

it('stores all instances with one call', async () => {
  const run = start((clock) => [
    steady(clock),
    steady(clock, '2'),
    { ...steady(clock), appId: 'other' },
  ]);
  await run.clock.advance(60_000);
  expect(run.stored.map((minutes) => minutes.length)).toEqual([3]);
  await run.sampler.stop();
});

it('stores all of thousands of instances', async () => {
  const count = 7_000;
  const run = start((clock) =>
    Array.from({ length: count }, (_, index) => steady(clock, String(index))),
  );
  await run.clock.advance(60_000);
  expect(run.stored.map((minutes) => minutes.length)).toEqual([count]);
  await run.sampler.stop();
});

it('stores the part of a minute when it is stopped, and nothing afterwards', async () => {
  const run = start(() => [{ appId: 'app', instanceId: '1' }]);
  await run.clock.advance(20_000);
  await run.sampler.stop();
  expect(run.stored).toMatchObject([[{ coveredMs: 15_000 }]]);
  expect(run.clock.pending()).toBe(0);
  await run.clock.advance(600_000);
  expect(run.stored).toHaveLength(1);
});

it('samples once a minute while nothing runs', async () => {
  const usages: InstanceUsage[] = [];
  const run = start(() => usages);
  await run.clock.advance(600_000);
  expect(run.samples()).toBe(11);
  usages.push({ appId: 'app', instanceId: '1' });
  await run.clock.advance(120_000);
  expect(run.samples()).toBe(11 + 1 + 4);
  expect(run.stored.flat().length).toBeGreaterThan(0);
  await run.sampler.stop();
});

it('continues after failures, reports the first one, and keeps what was not stored', async () => {
  const run = start(() => [{ appId: 'app', instanceId: '1', memoryBytes: 5 }]);
  await settle();
  run.faults.database = true;
  await run.clock.advance(300_000);
  expect(run.errors).toEqual([new Error('database')]);
  expect(run.stored).toEqual([]);
  run.faults.database = false;
  await run.clock.advance(15_000);
  expect(run.stored.flat().map(({ coveredMs }) => coveredMs)).toEqual(Array(5).fill(60_000));
  run.faults.engine = true;
  await run.clock.advance(60_000);
  expect(run.errors).toEqual([new Error('database'), new Error('engine')]);
  run.faults.engine = false;
  await run.clock.advance(120_000);
  expect(run.stored.flat().length).toBeGreaterThanOrEqual(7);
  await run.sampler.stop();
});
