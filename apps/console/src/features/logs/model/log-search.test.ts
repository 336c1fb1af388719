import { parseLogLine, withoutAnsi } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendLines, NO_LINES, numberedLine } from './line-list.ts';
import { allMatches, createMatchFinder, highlightParts, stepMatch } from './log-search.ts';

const numbered = (texts: string[], first = 1) =>
  texts.map((text, index) =>
    numberedLine(parseLogLine(`[app-1-1]: ${text}`), first + index - 1, new Map()),
  );
const listOf = (texts: string[]) => appendLines(NO_LINES, numbered(texts));

describe('createMatchFinder', () => {
  it.each([
    ['LISTEN', [3]],
    ['npm install', [2]],
    ['build', [1]],
    ['', []],
    ['nowhere', []],
  ])('finds %j in lines %j', (search, numbers) => {
    const lines = listOf(['old build', '\u001b[32mnpm\u001b[0m install', 'Listening on 3000']);
    expect(createMatchFinder(search)(lines)).toEqual({ matches: numbers, isDone: true });
  });

  it('finds the same as a plain search while the list grows and is truncated', () => {
    const text = fc.constantFrom('match', 'other', '\u001b[31mAhoy\u001b[0m', 'another');
    const change = fc.record({
      added: fc.array(text, { maxLength: 5 }),
      most: fc.integer({ min: 0, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const find = createMatchFinder('match');
        let lines = numbered([]);
        let last = 0;
        for (const { added, most } of changes) {
          const grown = [...lines, ...numbered(added, last + 1)];
          last += added.length;
          lines = most === 0 ? [] : grown.slice(-most);
          const plain = lines.filter((line) =>
            withoutAnsi(line.text).toLowerCase().includes('match'),
          );
          expect(find(appendLines(NO_LINES, lines)).matches).toEqual(
            plain.map(({ number }) => number),
          );
          expect(find(appendLines(NO_LINES, lines)).matches).toEqual(
            plain.map(({ number }) => number),
          );
        }
      }),
    );
  });
});

it('searches in batches of the given size', () => {
  const lines = listOf(['match', 'other', 'match', 'another', 'match']);
  const find = createMatchFinder('match', undefined, 2);
  expect([find(lines), find(lines), find(lines), find(lines)]).toEqual([
    { matches: [1], isDone: false },
    { matches: [1, 3], isDone: false },
    { matches: [1, 3, 5], isDone: true },
    { matches: [1, 3, 5], isDone: true },
  ]);
});

it('searches only the given lines', () => {
  const find = createMatchFinder('match', ({ number }) => number > 1);
  expect(find(listOf(['match', 'match'])).matches).toEqual([2]);
});

it.each([
  [{ numbers: [], until: undefined }, [1, 5], [5, 1]],
  [{ numbers: [4, 2], until: 5 }, [2, 4, 5, 6], [6, 5, 4, 2]],
  [{ numbers: [4], until: 9 }, [4], [4]],
])('of %j on the server and %j in recent lines, all matches are %j', (server, recent, all) => {
  expect(allMatches(server, recent)).toEqual(all);
});

it.each([
  [[9, 7, 5], undefined, 1, 9],
  [[9, 7, 5], 9, 1, 7],
  [[9, 7, 5], 5, 1, 9],
  [[9, 7, 5], 9, -1, 5],
  [[9, 7, 5], 4, 1, 9],
  [[9, 7, 5], undefined, -1, 5],
  [[], 9, 1, undefined],
] as const)('of %j, %j plus %i is %j', (matches, current, step, next) => {
  expect(stepMatch(matches, current, step)).toBe(next);
});

describe('highlightParts', () => {
  it.each([
    ['error', 'a Error b', ['a ', '[Error]', ' b']],
    ['aa', 'aaa', ['[aa]', 'a']],
    ['x', 'none', ['none']],
    ['', 'text', ['text']],
  ])('marks %j in %j', (search, text, shown) => {
    const parts = highlightParts(text, search);
    expect(parts.map((part) => (part.isMatch ? `[${part.text}]` : part.text))).toEqual(shown);
  });

  it('neither loses nor adds text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, search) => {
        const parts = highlightParts(text, search);
        expect(parts.map((part) => part.text).join('')).toBe(text);
      }),
    );
  });
});
