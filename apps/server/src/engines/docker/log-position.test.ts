import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogPosition, type LogPosition } from './log-position.ts';

const at = (time: number) => String(time).padStart(6, '0');

/** Reads as Docker returns entries: all from a timestamp on, in storage order. */
function read(kept: number[], before: LogPosition | undefined, howMany: number) {
  const position = createLogPosition(before);
  const told: number[] = [];
  for (const [index, time] of kept.entries()) {
    if (before !== undefined && at(time) < before.at) continue;
    if (position.isKnown(at(time))) continue;
    if (told.length === howMany) break;
    told.push(index);
    position.add(at(time), true);
    if (told.length % 3 === 0) position.advance();
  }
  return { told, position: position.value() };
}

describe('createLogPosition', () => {
  it('returns each entry once across readers, even with repeated or decreasing timestamps', () => {
    const steps = fc.array(fc.constantFrom(0, 0, 1, 1, 2, 5), { maxLength: 60 });
    const stops = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 });
    fc.assert(
      fc.property(steps, stops, (gaps, pauses) => {
        const kept = swapped(gaps.map((_, index) => sum(gaps.slice(0, index + 1))));
        const told: number[] = [];
        let position: LogPosition | undefined;
        for (const pause of [...pauses, 1_000]) {
          const reading = read(kept, position, pause);
          told.push(...reading.told);
          position = reading.position;
        }
        expect(told).toEqual(kept.map((_, index) => index));
      }),
    );
  });

  it('treats all entries as new when the first counted entry is gone', () => {
    const before = { at: at(5), count: 3 };
    const { told, position } = read([7, 8], before, 10);
    expect(told).toEqual([0, 1]);
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

/** Docker keeps an earlier entry behind a later one where both outputs write at once. */
function swapped(times: number[]): number[] {
  return times.map((time, index) => {
    const isPair = index % 7 === 3 || index % 7 === 4;
    return isPair ? (times[index % 7 === 3 ? index + 1 : index - 1] ?? time) : time;
  });
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
