import { parseLogLine } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContinuation } from './continuation.ts';

describe('continuing a stream', () => {
  it.each([
    ['no lines seen yet', [], ['a', 'b'], ['a', 'b']],
    ['no new lines', ['a', 'b'], ['a', 'b'], []],
    ['one new line', ['a', 'b'], ['a', 'b', 'c'], ['c']],
    ['a tail shorter than the lines seen', ['a', 'b', 'c'], ['c', 'd'], ['d']],
    ['no overlap', ['a', 'b'], ['x', 'y'], ['x', 'y']],
    ['equal lines', ['a', 'b', 'a'], ['a', 'c'], ['c']],
    [
      'an overlap that does not reach the last line seen',
      ['a', 'b', 'a', 'c'],
      ['a', 'b', 'x'],
      ['a', 'b', 'x'],
    ],
  ])('returns only new lines: %s', (_, seen, replayed, fresh) => {
    expect(newLinesAfter(seen, replayed)).toEqual(fresh);
  });

  it('loses and repeats no line if all lines differ, for any tail and gap', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(80), (seenCount, newCount, extraTail) => {
        const all = Array.from({ length: seenCount + newCount }, (_, index) => `line ${index}`);
        const tail = all.slice(-Math.min(all.length, newCount + extraTail) || all.length);
        expect(newLinesAfter(all.slice(0, seenCount), tail)).toEqual(all.slice(seenCount));
      }),
    );
  });
});

function newLinesAfter(seen: string[], replayed: string[]): string[] {
  const continuation = createContinuation(seen.map(parseLogLine));
  const fresh = replayed.flatMap((line) => continuation.push(parseLogLine(line)));
  return [...fresh, ...continuation.end()].map(({ text }) => text);
}
