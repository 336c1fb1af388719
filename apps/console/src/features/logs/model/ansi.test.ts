import { withoutAnsi } from '@longshore/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ansiSpans } from './ansi.ts';

const red = '\u001b[31m';
const reset = '\u001b[0m';

describe('terminal colours', () => {
  it.each([
    ['plain', [{ text: 'plain' }]],
    [`${red}bad${reset} ok`, [{ text: 'bad', colour: 1 }, { text: ' ok' }]],
    ['\u001b[1;92mdone', [{ text: 'done', isBold: true, colour: 2 }]],
    ['\u001b[2K\u001b[1Gline', [{ text: 'line' }]],
    ['\u001b[38;5;208morange', [{ text: 'orange' }]],
    ['\u001b]0;title\u0007text', [{ text: 'text' }]],
    ['', [{ text: '' }]],
    ['<b>not markup</b>', [{ text: '<b>not markup</b>' }]],
  ])('%j becomes %j', (text, spans) => {
    expect(ansiSpans(text)).toEqual(spans);
  });

  it('neither lose nor add text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b ', red, reset, '\u001b[K', '[31m')), (parts) => {
        const text = parts.join('');
        expect(
          ansiSpans(text)
            .map((span) => span.text)
            .join(''),
        ).toBe(withoutAnsi(text));
      }),
    );
  });
});
