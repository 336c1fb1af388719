import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { generateReadableCode, matchesReadableCode } from './readable-code.ts';
import { Secret } from './secret.ts';

it('has twelve symbols without look-alikes, in groups of four', () => {
  for (let round = 0; round < 100; round += 1) {
    const code = generateReadableCode(randomBytes).reveal();
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  }
});

it('uses five bits of each random byte, so that all symbols are equally likely', () => {
  const symbols = new Set<string>();
  for (let byte = 0; byte < 32; byte += 1) {
    const code = generateReadableCode((count) => new Uint8Array(count).fill(byte)).reveal();
    expect(code).toBe(
      generateReadableCode((count) => new Uint8Array(count).fill(byte + 32)).reveal(),
    );
    symbols.add(code.charAt(0));
  }
  expect(symbols.size).toBe(32);
  const ascending = generateReadableCode((count) =>
    Uint8Array.from({ length: count }, (_, at) => at),
  );
  expect(ascending.reveal()).toBe('2345-6789-ABCD');
});

it('is masked when printed', () => {
  expect(`${generateReadableCode(randomBytes)}`).toBe('[secret]');
});

it.each([
  ['2345-6789-ABCD', true],
  ['23456789ABCD', true],
  ['2345-6789-abcd', true],
  [' 2345 6789 abcd\n', true],
  ['2345–6789—ABCD', true],
  ['2345\u00a06789\u00a0ABCD', true],
  ['2345-6789-ABC', false],
  ['2345-6789-ABCDD', false],
  ['2345-6789-ABCE', false],
  ['2345_6789_ABCD', false],
  ['----', false],
  ['-', false],
  ['', false],
])('2345-6789-ABCD, entered as %j, matches: %s', (entered, isMatch) => {
  expect(matchesReadableCode(new Secret('2345-6789-ABCD'), new Secret(entered))).toBe(isMatch);
});
