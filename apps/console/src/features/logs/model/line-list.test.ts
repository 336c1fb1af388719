import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  appendLines,
  dropFirst,
  dropLast,
  lastLine,
  lineAt,
  linesOf,
  NO_LINES,
  numberedLine,
  positionFrom,
  positionOf,
  prependLines,
} from './line-list.ts';

const line = (number: number) =>
  ({ number, name: 'a', source: 'app', text: `${number}`, at: undefined }) as const;

const change = fc.record({
  kind: fc.constantFrom('append', 'prepend', 'drop-first', 'drop-last'),
  count: fc.oneof(fc.nat(5), fc.integer({ min: 500, max: 3_000 })),
});

it('is the same as an array, however it grows and shrinks, and rows keep their ids', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let list = NO_LINES;
      let plain: number[] = [];
      const ids = new Map<number, number>();
      let [low, high] = [1_000_000, 1_000_000];
      for (const { kind, count } of changes) {
        const added = Array.from({ length: count }, (_, index) =>
          kind === 'append' ? high + index : low - count + index,
        );
        if (kind === 'append') {
          list = appendLines(list, added.map(line));
          plain = [...plain, ...added];
          high += count;
        }
        if (kind === 'prepend') {
          list = prependLines(list, added.map(line));
          plain = [...added, ...plain];
          low -= count;
        }
        if (kind === 'drop-first') {
          list = dropFirst(list, count);
          plain = plain.slice(plain.length - list.length);
          low = plain[0] ?? high;
        }
        if (kind === 'drop-last') {
          list = dropLast(list, count);
          plain = plain.slice(0, list.length);
          high = (plain.at(-1) ?? low - 1) + 1;
        }
        if (kind.startsWith('drop')) expect(list.length).toBeLessThanOrEqual(count);
        expect(linesOf(list).map(({ number }) => number)).toEqual(plain);
        expect(lastLine(list)?.number).toBe(plain.at(-1));
        for (const position of [0, Math.floor(plain.length / 2), plain.length - 1]) {
          const number = plain[position];
          expect(lineAt(list, position)?.number).toBe(number);
          if (number === undefined) continue;
          expect(positionOf(list, number)).toBe(position);
          const id = list.firstId + position;
          expect(ids.get(number) ?? id).toBe(id);
          ids.set(number, id);
        }
      }
    }),
  );
});

it('drops no more than it must, give or take a chunk', () => {
  const list = appendLines(
    NO_LINES,
    Array.from({ length: 10_000 }, (_, index) => line(index)),
  );
  expect(dropFirst(list, 5_000).length).toBeGreaterThan(3_900);
  expect(dropLast(list, 5_000).length).toBeGreaterThan(3_900);
  expect(dropFirst(list, 10_000)).toBe(list);
});

it.each([
  [0, 0],
  [10, 0],
  [11, 1],
  [20, 1],
  [31, 3],
])('the position from number %i on is %i', (number, position) => {
  expect(positionFrom(appendLines(NO_LINES, [10, 20, 30].map(line)), number)).toBe(position);
});

it.each([
  [0, 2, [10, 20]],
  [1, 9, [20, 30]],
  [3, 3, []],
])('the lines from %i to %i are %j', (from, to, numbers) => {
  const list = appendLines(NO_LINES, [10, 20, 30].map(line));
  expect(linesOf(list, from, to).map(({ number }) => number)).toEqual(numbers);
});

it('numbers lines by their sequence number, or one after the other', () => {
  const names = new Map<string, string>();
  const at = '2025-01-01T00:00:00.000Z';
  const sent = { name: 'a', source: 'app', text: 'x' } as const;
  expect(numberedLine({ ...sent, sequence: 7, at }, 3, names)).toEqual({
    ...sent,
    number: 7,
    at: Date.parse(at),
  });
  expect(numberedLine(sent, 3, names)).toEqual({ ...sent, number: 4, at: undefined });
});
