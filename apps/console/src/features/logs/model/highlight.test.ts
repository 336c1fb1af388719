import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightParts } from './highlight.ts';

describe('search hits', () => {
  it.each([
    ['error', 'a Error b', ['a ', '[Error]', ' b']],
    ['aa', 'aaa', ['[aa]', 'a']],
    ['x', 'none', ['none']],
    ['', 'text', ['text']],
  ])('of %j in %j are marked', (search, text, shown) => {
    const parts = highlightParts(text, search);
    expect(parts.map((part) => (part.isHit ? `[${part.text}]` : part.text))).toEqual(shown);
  });

  it('never lose or add text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, search) => {
        const parts = highlightParts(text, search);
        expect(parts.map((part) => part.text).join('')).toBe(text);
      }),
    );
  });
});
