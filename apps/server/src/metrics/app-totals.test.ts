import { expect, it } from 'vitest';
import { createAppTotals } from './app-totals.ts';

const UNKNOWN = {
  cpuSeconds: undefined,
  receivedBytes: undefined,
  sentBytes: undefined,
  memoryBytes: undefined,
  diskBytes: undefined,
};
const used = (appId: string, instanceId: string) => ({
  ...{ appId, instanceId, memoryBytes: 100, diskBytes: 7 },
});
const interval = { ...UNKNOWN, appId: 'a', instanceId: '1', from: 0, to: 15_000 };

it('adds up instances and what they used', () => {
  const totals = createAppTotals();
  const usages = [used('a', '1'), used('a', '2'), { appId: 'b', instanceId: '1' }];
  totals.addUsage({ at: 0, usages }, []);
  totals.addUsage({ at: 15_000, usages }, [
    { ...interval, cpuSeconds: 2, sentBytes: 5 },
    { ...interval, instanceId: '2', cpuSeconds: 1 },
  ]);
  expect(totals.of('a')).toMatchObject({
    instances: 2,
    memoryBytes: 200,
    diskBytes: 7,
    cpuSeconds: 3,
    sentBytes: 5,
    receivedBytes: undefined,
  });
  expect(totals.of('b')).toMatchObject({ instances: 1, memoryBytes: undefined });
});

it('keeps what was used after an instance has ended', () => {
  const totals = createAppTotals();
  totals.addUsage({ at: 0, usages: [used('a', '1')] }, [{ ...interval, cpuSeconds: 2 }]);
  totals.addUsage({ at: 15_000, usages: [] }, []);
  expect(totals.of('a')).toMatchObject({ instances: 0, memoryBytes: undefined, cpuSeconds: 2 });
});

it('adds up requests, and forgets apps', () => {
  const totals = createAppTotals();
  const counters = {
    appId: 'a',
    minute: 1,
    statuses: [0, 3, 0, 1, 0] as [number, number, number, number, number],
    latencies: [4],
    durationMs: 30,
    bytesIn: 1,
    bytesOut: 1,
  };
  const { durationMs: _, ...ofEarlierEdge } = counters;
  totals.addRequests([counters, ofEarlierEdge]);
  expect(totals.of('a')?.statuses).toEqual([0, 6, 0, 2, 0]);
  expect(totals.of('a')?.latencies[0]).toBe(8);
  expect(totals.of('a')?.durationMs).toBe(30);
  totals.keep(new Set(['b']));
  expect(totals.of('a')).toBeUndefined();
});
