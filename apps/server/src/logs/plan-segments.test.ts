import { describe, expect, it } from 'vitest';
import { planSegments } from './plan-segments.ts';

/** Each line is `<sequence> TAB 1 TAB n TAB x LF`: 8 bytes with a number of one digit. */
const record = (sequence: number) => ({ sequence, at: 1, name: 'n', text: 'x' });
const limits = { segmentBytes: 16, segments: 2 };

function plan(sequences: number[], segments: number[], bytes: number) {
  const { pieces, removed, end } = planSegments(
    '.',
    sequences.map(record),
    { segments, bytes },
    limits,
  );
  return {
    pieces: pieces.map(({ segment, start, last }) => [segment, start, last]),
    removed: removed.map(({ segment }) => segment),
    end,
  };
}

describe('the segments of lines', () => {
  it.each([
    ['a first one', [1], [], 0, [[1, 0, 1]], [], { segments: [1], bytes: 8 }],
    ['the newest one', [2], [1], 8, [[1, 8, 2]], [], { segments: [1], bytes: 16 }],
    ['a new one after a full one', [3], [1], 16, [[3, 0, 3]], [], { segments: [1, 3], bytes: 8 }],
    [
      'the rest of the newest one and a new one',
      [2, 3],
      [1],
      8,
      [
        [1, 8, 2],
        [3, 0, 3],
      ],
      [],
      { segments: [1, 3], bytes: 8 },
    ],
    [
      'one that replaces the oldest',
      [5],
      [1, 3],
      16,
      [[5, 0, 5]],
      [1],
      { segments: [3, 5], bytes: 8 },
    ],
    [
      'only the last ones of many',
      [3, 4, 5, 6, 7, 8],
      [1],
      16,
      [
        [5, 0, 6],
        [7, 0, 8],
      ],
      [1],
      { segments: [5, 7], bytes: 16 },
    ],
  ])('are %s', (_, sequences, segments, bytes, pieces, removed, end) => {
    expect(plan(sequences, segments, bytes)).toEqual({ pieces, removed, end });
  });
});
