import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMask } from './mask.ts';

const KEY =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\nBCIEIAbcdefghijk\n-----END PRIVATE KEY-----\n';

describe('a secret', () => {
  it.each([
    ['alone', ['hunter2'], 'hunter2', '[secret]'],
    [
      'among words',
      ['hunter2'],
      'it is hunter2, really hunter2',
      'it is [secret], really [secret]',
    ],
    ['inside JSON', ['a"b\\c\td'], '{"key":"a\\"b\\\\c\\td"}', '{"key":"[secret]"}'],
    ['inside an address', ['p@ss/word'], 'db://u:p%40ss%2Fword@host', 'db://u:[secret]@host'],
    ['that looks like a pattern', ['(.*)+$^'], 'all (.*)+$^ gone', 'all [secret] gone'],
    ['that contains another secret', ['hunter2', 'hunter2-long'], 'hunter2-long', '[secret]'],
    ['with space around it', [' hunter2\n'], 'hunter2!', '[secret]!'],
    ['of several lines, by line', [KEY], 'MC4CAQAwBQYDK2Vw', '[secret]'],
    ['of several lines, in JSON', [KEY], JSON.stringify({ KEY }), '{"KEY":"[secret]\\n"}'],
  ])('%s is masked', (_case, secrets, text, expected) => {
    expect(createMask(secrets)(text)).toBe(expected);
  });

  it.each([
    ['is too short', ['abc', ''], 'abcdef', 'abcdef'],
    ['does not occur', ['hunter2'], 'hunter 2', 'hunter 2'],
  ])('is not masked when it %s', (_case, secrets, text, expected) => {
    expect(createMask(secrets)(text)).toBe(expected);
  });

  it.each([
    ['xx hunter2-lo …', 'xx [secret] …'],
    ['xx hunter2-lo…', 'xx [secret]…'],
    ['xx hunter2-long …', 'xx [secret] …'],
    ['please wait …', 'please wait …'],
  ])('is masked partially at the end of a truncated line: %j', (text, expected) => {
    expect(createMask(['hunter2-long'])(text)).toBe(expected);
  });

  it('is always masked, whatever its text and position', () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
      .map((text) => text.trim())
      .filter((text) => text.length >= 6 && !/[\r\n]/.test(text) && !'[secret]'.includes(text));
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        expect(createMask([hidden])(before + hidden + after)).not.toContain(hidden);
      }),
    );
  });
});
