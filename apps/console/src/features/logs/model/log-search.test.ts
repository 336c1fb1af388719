import { parseLogLine, withoutAnsi } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatchFinder, highlightParts, positionOf } from './log-search.ts';

const numbered = (texts: string[], first = 1) =>
  texts.map((text, index) => ({ ...parseLogLine(`[app-1-1]: ${text}`), number: first + index }));

describe('createMatchFinder', () => {
  it.each([
    ['LISTEN', [3]],
    ['npm install', [2]],
    ['build', [1]],
    ['', []],
    ['nowhere', []],
  ])('finds %j in lines %j', (search, numbers) => {
    const lines = numbered(['old build', '\u001b[32mnpm\u001b[0m install', 'Listening on 3000']);
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
          expect(find(lines).matches).toEqual(plain.map(({ number }) => number));
          expect(find(lines).matches).toEqual(plain.map(({ number }) => number));
        }
      }),
    );
  });
});

it('searches in batches of the given size', () => {
  const lines = numbered(['match', 'other', 'match', 'another', 'match']);
  const find = createMatchFinder('match', 2);
  expect([find(lines), find(lines), find(lines), find(lines)]).toEqual([
    { matches: [1], isDone: false },
    { matches: [1, 3], isDone: false },
    { matches: [1, 3, 5], isDone: true },
    { matches: [1, 3, 5], isDone: true },
  ]);
});

it.each([
  [4, 0],
  [6, 2],
  [7, undefined],
  [3, undefined],
  [undefined, undefined],
])('the position of line %j is %j', (number, position) => {
  expect(positionOf(numbered(['a', 'b', 'c'], 4), number)).toBe(position);
});

it('a filtered-out line has no position', () => {
  const lines = numbered(['a', 'b', 'c']).filter(({ number }) => number !== 2);
  expect(positionOf(lines, 2)).toBeUndefined();
  expect(positionOf(lines, 3)).toBe(1);
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
