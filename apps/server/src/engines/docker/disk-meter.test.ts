import { expect, it } from 'vitest';
import { createDiskMeter } from './disk-meter.ts';

function createMeter() {
  let now = 0;
  const measured: string[] = [];
  const errors: unknown[] = [];
  const meter = createDiskMeter<number | Error>({
    async measure(subject) {
      measured.push(String(subject));
      now += 10;
      if (subject instanceof Error) throw subject;
      return subject;
    },
    clock: { now: () => now },
    logError: (error) => errors.push(error),
  });
  function pass(durationMs: number): void {
    now += durationMs;
  }
  return { meter, measured, errors, pass };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

it('measures one disk after the other, the oldest number first, with rests', async () => {
  const { meter, measured, pass } = createMeter();
  const disks = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  meter.measureNext(disks);
  meter.measureNext(disks);
  await settled();
  expect(measured).toEqual(['1']);
  expect([meter.bytesOf('a'), meter.bytesOf('b')]).toEqual([1, undefined]);
  pass(9_999);
  meter.measureNext(disks);
  expect(measured).toEqual(['1']);
  for (let round = 0; round < 3; round += 1) {
    pass(10_000);
    meter.measureNext(disks);
    await settled();
  }
  expect(measured).toEqual(['1', '2', '1', '2']);
  meter.measureNext(new Map());
  expect(meter.bytesOf('a')).toBeUndefined();
});

it('reports a failure and continues', async () => {
  const { meter, errors, pass } = createMeter();
  const failure = new Error('no');
  meter.measureNext(new Map<string, number | Error>([['a', failure]]));
  await settled();
  expect(errors).toEqual([failure]);
  pass(10_000);
  meter.measureNext(new Map([['a', 5]]));
  await settled();
  expect(meter.bytesOf('a')).toBe(5);
});
