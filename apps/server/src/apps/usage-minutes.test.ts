import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstanceUsage } from '../engines/engine.ts';
import {
  intervalsBetween,
  MINUTE_MS,
  mergeMinutes,
  minutesOf,
  type UsageInterval,
  type UsageMinute,
} from './usage-minutes.ts';

const ID = { appId: 'app', instanceId: '1' };

function used(change: Partial<InstanceUsage> = {}): InstanceUsage {
  return {
    ...ID,
    cpuSeconds: 10,
    memoryBytes: 100,
    networkReceivedBytes: 1_000,
    networkSentBytes: 2_000,
    diskBytes: 50,
    ...change,
  };
}

function between(before: InstanceUsage[], now: InstanceUsage[], durationMs = 15_000) {
  return intervalsBetween({ at: 0, usages: before }, { at: durationMs, usages: now });
}

const UNKNOWN = {
  cpuSeconds: undefined,
  receivedBytes: undefined,
  sentBytes: undefined,
  memoryBytes: undefined,
  diskBytes: undefined,
};

describe('between two samples', () => {
  it.each<[string, Partial<InstanceUsage>, Partial<InstanceUsage>, Partial<UsageInterval>]>([
    [
      'counters grow',
      {},
      { cpuSeconds: 13, networkSentBytes: 2_500 },
      { cpuSeconds: 3, sentBytes: 500 },
    ],
    ['nothing is used', {}, {}, { cpuSeconds: 0, receivedBytes: 0, sentBytes: 0 }],
    [
      'a restart resets counters',
      {},
      { cpuSeconds: 2, networkReceivedBytes: 5 },
      { cpuSeconds: 2, receivedBytes: 5 },
    ],
    ['a restart resets them to zero', {}, { cpuSeconds: 0 }, { cpuSeconds: 0 }],
    ['memory falls', { memoryBytes: 300 }, { memoryBytes: 100 }, { memoryBytes: 300 }],
    ['memory grows', {}, { memoryBytes: 400 }, { memoryBytes: 400 }],
    ['the disk changes', {}, { diskBytes: 20 }, { diskBytes: 20 }],
    ['a counter becomes unknown', {}, { cpuSeconds: undefined }, { cpuSeconds: undefined }],
    ['a counter becomes known', { cpuSeconds: undefined }, {}, { cpuSeconds: undefined }],
    ['memory becomes known', { memoryBytes: undefined }, {}, { memoryBytes: 100 }],
  ])('%s', (_, before, now, expected) => {
    expect(between([used(before)], [used(now)])).toMatchObject([
      { ...ID, from: 0, to: 15_000, ...expected },
    ]);
  });

  it('an engine that measures nothing leaves everything unknown', () => {
    expect(between([ID], [ID])).toEqual([{ ...ID, from: 0, to: 15_000, ...UNKNOWN }]);
  });

  it.each([
    ['an instance that has just started', [], [used()], 15_000],
    ['an instance that has ended', [used()], [], 15_000],
    ['another instance of the app', [used()], [used({ instanceId: '2' })], 15_000],
    ['the same number in another app', [used()], [used({ appId: 'other' })], 15_000],
    ['a clock that was set back', [used()], [used()], -1],
    ['no time', [used()], [used()], 0],
    ['a machine that was suspended', [used()], [used()], 5 * MINUTE_MS + 1],
  ])('%s counts nothing', (_, before, now, durationMs) => {
    expect(between(before, now, durationMs)).toEqual([]);
  });
});

describe('an interval', () => {
  const interval = (from: number, to: number, change: Partial<UsageInterval> = {}) => ({
    ...ID,
    ...UNKNOWN,
    from,
    to,
    ...change,
  });

  it('within a minute belongs to it', () => {
    const amounts = { cpuSeconds: 3, receivedBytes: 10, memoryBytes: 7, diskBytes: 9 };
    expect(minutesOf(interval(60_000, 75_000, amounts))).toEqual([
      { ...ID, ...UNKNOWN, ...amounts, minute: 1, coveredMs: 15_000 },
    ]);
  });

  it('is divided at the end of a minute', () => {
    const amounts = { cpuSeconds: 3, sentBytes: 300, memoryBytes: 7 };
    expect(minutesOf(interval(55_000, 70_000, amounts))).toEqual([
      {
        ...ID,
        ...UNKNOWN,
        cpuSeconds: 1,
        sentBytes: 100,
        memoryBytes: 7,
        minute: 0,
        coveredMs: 5_000,
      },
      {
        ...ID,
        ...UNKNOWN,
        cpuSeconds: 2,
        sentBytes: 200,
        memoryBytes: 7,
        minute: 1,
        coveredMs: 10_000,
      },
    ]);
  });

  it('loses and invents nothing', () => {
    const time = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 300_000 }), fc.nat(), (from, ms, bytes) => {
        const minutes = minutesOf(interval(from, from + ms, { sentBytes: bytes }));
        const sum = (pick: (minute: UsageMinute) => number) =>
          minutes.reduce((total, minute) => total + pick(minute), 0);
        expect(sum(({ coveredMs }) => coveredMs)).toBe(ms);
        expect(sum(({ sentBytes = 0 }) => sentBytes)).toBeCloseTo(bytes, 3);
        expect(minutes.every(({ coveredMs }) => coveredMs <= MINUTE_MS)).toBe(true);
      }),
    );
  });
});

describe('minutes', () => {
  const minute = (number: number, change: Partial<UsageMinute> = {}): UsageMinute => ({
    ...ID,
    ...UNKNOWN,
    minute: number,
    coveredMs: 15_000,
    ...change,
  });

  it('of the same instance are merged', () => {
    const first = minute(3, { cpuSeconds: 1, memoryBytes: 5, diskBytes: 1 });
    const second = minute(3, { cpuSeconds: 2, memoryBytes: 4, sentBytes: 7 });
    expect(mergeMinutes([first, second, minute(4)])).toEqual([
      {
        ...minute(3),
        coveredMs: 30_000,
        cpuSeconds: 3,
        memoryBytes: 5,
        sentBytes: 7,
        diskBytes: 1,
      },
      minute(4),
    ]);
  });

  it.each([{ appId: 'other' }, { instanceId: '2' }])('of %j are not', (change) => {
    expect(mergeMinutes([minute(3), minute(3, change)])).toHaveLength(2);
  });

  it('become quarters of an hour', () => {
    const rows = mergeMinutes([minute(14), minute(15), minute(29), minute(30)], 15);
    expect(rows.map(({ minute, coveredMs }) => [minute, coveredMs])).toEqual([
      [0, 15_000],
      [15, 30_000],
      [30, 15_000],
    ]);
  });
});
