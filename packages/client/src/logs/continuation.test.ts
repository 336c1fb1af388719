import { parseLogLine } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContinuation } from './continuation.ts';

describe('continuing a stream', () => {
  it.each([
    ['nothing seen yet', [], ['a', 'b'], ['a', 'b']],
    ['nothing new', ['a', 'b'], ['a', 'b'], []],
    ['something new', ['a', 'b'], ['a', 'b', 'c'], ['c']],
    ['a tail shorter than what was seen', ['a', 'b', 'c'], ['c', 'd'], ['d']],
    ['everything missed', ['a', 'b'], ['x', 'y'], ['x', 'y']],
    ['lines that look alike', ['a', 'b', 'a'], ['a', 'c'], ['c']],
    ['a false start', ['a', 'b', 'a', 'c'], ['a', 'b', 'x'], ['a', 'b', 'x']],
  ])('with %s', (_, seen, replayed, fresh) => {
    expect(taken(seen, replayed)).toEqual(fresh);
  });

  it('loses and repeats no line if all lines differ, for any tail and gap', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(80), (seenCount, newCount, extraTail) => {
        const all = Array.from({ length: seenCount + newCount }, (_, index) => `line ${index}`);
        const tail = all.slice(-Math.min(all.length, newCount + extraTail) || all.length);
        expect(taken(all.slice(0, seenCount), tail)).toEqual(all.slice(seenCount));
      }),
    );
  });
});

function taken(seen: string[], replayed: string[]): string[] {
  const continuation = createContinuation(seen.map(parseLogLine));
  const fresh = replayed.flatMap((line) => continuation.push(parseLogLine(line)));
  return [...fresh, ...continuation.end()].map(({ text }) => text);
}
