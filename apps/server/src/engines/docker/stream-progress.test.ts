import { expect, it } from 'vitest';
import { createStreamProgress } from './stream-progress.ts';

const TIMING = { idleMs: 5, burstBytes: 100, routineMs: 1_000 };
const at = (second: number) => `2026-01-01T00:00:0${second}.000000000Z`;
const entry = (second: number, length = 1) => ({ at: at(second), bytes: Buffer.alloc(length) });

/** A stream that has brought the entry of second 1 and passed its first check. */
function prepare() {
  let now = 0;
  const progress = createStreamProgress({ now: () => now }, TIMING);
  const wait = (ms: number) => {
    now += ms;
    return progress.isDue();
  };
  progress.open(undefined);
  progress.read(entry(1));
  expect(wait(4)).toBe(false);
  expect(wait(1)).toBe(true);
  expect(progress.hangs(at(1))).toBe(false);
  return { progress, wait };
}

it('checks a quiet stream from time to time', () => {
  const { progress, wait } = prepare();
  expect(wait(999)).toBe(false);
  expect(wait(1)).toBe(true);
  expect(progress.hangs(undefined)).toBe(false);
  expect(wait(10)).toBe(false);
});

it('checks a stream that is idle after a burst', () => {
  const { progress, wait } = prepare();
  progress.read(entry(2, 99));
  expect(wait(100)).toBe(false);
  progress.read(entry(3, 1));
  expect(wait(4)).toBe(false);
  expect(wait(1)).toBe(true);
  expect(progress.hangs(at(3))).toBe(false);
  expect(wait(100)).toBe(false);
});

it('hangs if it does not bring what Docker had at the check before', () => {
  const { progress, wait } = prepare();
  expect(wait(1_000)).toBe(true);
  expect(progress.hangs(at(2))).toBe(false);
  expect(wait(1)).toBe(true);
  expect(progress.hangs(at(3))).toBe(true);
});

it('does not hang if that was on its way', () => {
  const { progress, wait } = prepare();
  wait(1_000);
  expect(progress.hangs(at(2))).toBe(false);
  progress.read(entry(2));
  expect(wait(5)).toBe(true);
  expect(progress.hangs(at(3))).toBe(false);
});

it('is not checked while nothing is read from it', () => {
  const { progress, wait } = prepare();
  progress.pause();
  expect(wait(2_000)).toBe(false);
  progress.resume();
  expect(wait(4)).toBe(false);
  expect(wait(1)).toBe(true);
  progress.hangs(at(2));
  progress.pause();
  expect(progress.hangs(at(2))).toBe(false);
});

it('continues an earlier stream', () => {
  let now = 0;
  const progress = createStreamProgress({ now: () => now }, TIMING);
  progress.open(at(4));
  now = 5;
  expect(progress.isDue()).toBe(true);
  expect(progress.hangs(at(4))).toBe(false);
  expect(progress.isDue()).toBe(false);
});
