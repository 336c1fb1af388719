import { expect, it } from 'vitest';
import { createLogRepeats } from './log-repeats.ts';

/** Milliseconds and what is found of each. */
function found(...times: number[]): string[] {
  const { look } = createLogRepeats();
  return times.map((ms) => look(timeOf(ms), 10_000));
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000000Z');
}

it('takes what comes in order, or nearly so, for new', () => {
  expect(found(1_000, 1_000, 2_000, 1_900, 2_001)).toEqual(['new', 'new', 'new', 'new', 'new']);
});

it('knows what is sent a second time, up to the newest', () => {
  expect(found(1_000, 2_000, 3_000, 1_000, 2_000, 2_999, 3_000, 3_001, 3_002)).toEqual([
    ...['new', 'new', 'new'],
    ...['again', 'repeated', 'repeated', 'repeated'],
    ...['new', 'new'],
  ]);
});

it('knows it each time', () => {
  expect(found(1_000, 3_000, 1_000, 4_000, 1_000)).toEqual(['new', 'new', 'again', 'new', 'again']);
});

it('takes everything for new after the time was set back', () => {
  const { look } = createLogRepeats();
  expect(look(timeOf(9_000), 9_000)).toBe('new');
  expect(look(timeOf(2_000), 2_000)).toBe('new');
  expect(look(timeOf(2_500), 2_500)).toBe('new');
});
