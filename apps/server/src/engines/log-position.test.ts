import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogPosition, type LogPosition } from './log-position.ts';

const at = (time: number) => String(time).padStart(6, '0');

/** Reads as Docker returns entries: all from a timestamp on, in storage order. */
function read(entries: number[], before: LogPosition | undefined, maxCount: number) {
  const position = createLogPosition(before);
  const emitted: number[] = [];
  for (const [index, time] of entries.entries()) {
    if (before !== undefined && at(time) < before.at) continue;
    if (position.isKnown(at(time))) continue;
    if (emitted.length === maxCount) break;
    emitted.push(index);
    position.add(at(time), true);
    if (emitted.length % 3 === 0) position.advance();
  }
  return { emitted, position: position.value() };
}

describe('createLogPosition', () => {
  it('returns each entry once across readers, even with repeated or decreasing timestamps', () => {
    const steps = fc.array(fc.constantFrom(0, 0, 1, 1, 2, 5), { maxLength: 60 });
    const stops = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 });
    fc.assert(
      fc.property(steps, stops, (gaps, pauses) => {
        const entries = swapped(gaps.map((_, index) => sum(gaps.slice(0, index + 1))));
        const emitted: number[] = [];
        let position: LogPosition | undefined;
        for (const pause of [...pauses, 1_000]) {
          const reading = read(entries, position, pause);
          emitted.push(...reading.emitted);
          position = reading.position;
        }
        expect(emitted).toEqual(entries.map((_, index) => index));
      }),
    );
  });

  it('treats all entries as new when the first counted entry is gone', () => {
    const before = { at: at(5), count: 3 };
    const { emitted, position } = read([7, 8], before, 10);
    expect(emitted).toEqual([0, 1]);
    expect(position?.at).toBe(at(7));
  });

  it('stays before an incomplete line', () => {
    const position = createLogPosition(undefined);
    position.add(at(1), true);
    position.add(at(2), false);
    expect(position.value()).toEqual({ at: at(1), count: 1 });
    position.add(at(3), true);
    expect(position.value()).toEqual({ at: at(1), count: 3 });
  });
});

/** Docker may store an earlier entry after a later one when both outputs write at the same time. */
function swapped(times: number[]): number[] {
  return times.map((time, index) => {
    const isPair = index % 7 === 3 || index % 7 === 4;
    return isPair ? (times[index % 7 === 3 ? index + 1 : index - 1] ?? time) : time;
  });
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
