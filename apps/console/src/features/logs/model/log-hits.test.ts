import { parseLogLine } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutAnsi } from './ansi.ts';
import { createHitFinder, positionOf } from './log-hits.ts';

const numbered = (texts: string[], first = 1) =>
  texts.map((text, index) => ({ ...parseLogLine(`[app-1-1]: ${text}`), number: first + index }));

describe('hits', () => {
  it.each([
    ['LISTEN', [3]],
    ['npm install', [2]],
    ['build', [1]],
    ['', []],
    ['nowhere', []],
  ])('of %j are %j', (search, numbers) => {
    const lines = numbered(['old build', '\u001b[32mnpm\u001b[0m install', 'Listening on 3000']);
    expect(createHitFinder(search)(lines)).toEqual({ hits: numbers, isDone: true });
  });

  it('are those of a plain search, however the list grew and was cut', () => {
    const text = fc.constantFrom('ahoy', 'mast', '\u001b[31mAhoy\u001b[0m', 'reef');
    const change = fc.record({
      added: fc.array(text, { maxLength: 5 }),
      most: fc.integer({ min: 0, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const find = createHitFinder('ahoy');
        let lines = numbered([]);
        let last = 0;
        for (const { added, most } of changes) {
          const grown = [...lines, ...numbered(added, last + 1)];
          last += added.length;
          lines = most === 0 ? [] : grown.slice(-most);
          const plain = lines.filter((line) =>
            withoutAnsi(line.text).toLowerCase().includes('ahoy'),
          );
          expect(find(lines).hits).toEqual(plain.map(({ number }) => number));
          expect(find(lines).hits).toEqual(plain.map(({ number }) => number));
        }
      }),
    );
  });
});

it('finds the same in turns, each as long as it is told', () => {
  const lines = numbered(['ahoy', 'mast', 'ahoy', 'reef', 'ahoy']);
  const find = createHitFinder('ahoy', 2);
  expect([find(lines), find(lines), find(lines), find(lines)]).toEqual([
    { hits: [1], isDone: false },
    { hits: [1, 3], isDone: false },
    { hits: [1, 3, 5], isDone: true },
    { hits: [1, 3, 5], isDone: true },
  ]);
});

it.each([
  [4, 0],
  [6, 2],
  [7, undefined],
  [3, undefined],
  [undefined, undefined],
])('a line of number %j stands at %j', (number, position) => {
  expect(positionOf(numbered(['a', 'b', 'c'], 4), number)).toBe(position);
});

it('a line that a filter left out stands nowhere', () => {
  const lines = numbered(['a', 'b', 'c']).filter(({ number }) => number !== 2);
  expect(positionOf(lines, 2)).toBeUndefined();
  expect(positionOf(lines, 3)).toBe(1);
});
