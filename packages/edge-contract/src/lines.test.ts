import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineReader, toLine } from './lines.ts';

it.each<[string, string[], string[][] | 'too long']>([
  ['a line', ['one\n'], [['one']]],
  ['several lines', ['one\ntwo\n'], [['one', 'two']]],
  ['a line in parts', ['o', 'n', 'e\ntw', 'o\n'], [[], [], ['one'], ['two']]],
  ['an unfinished line', ['one'], [[]]],
  ['empty lines', ['\n\n'], [['', '']]],
  ['a line of the maximum length', ['12345678\n'], [['12345678']]],
  ['a line that is too long', ['123456789\n'], 'too long'],
  ['an unfinished line that is too long', ['12345678', '9'], 'too long'],
  ['a long line after a short one', ['one\n123456789'], 'too long'],
])('reads %s', (_what, chunks, expected) => {
  const reader = createLineReader(8);
  const results = chunks.map((chunk) => reader.read(Buffer.from(chunk)));
  if (expected === 'too long') expect(results.at(-1)).toBeUndefined();
  else expect(results).toEqual(expected);
});

it('reads nothing more after a line that was too long', () => {
  const reader = createLineReader(3);
  reader.read(Buffer.from('1234'));
  expect(reader.read(Buffer.from('\none\n'))).toBeUndefined();
});

it('reads longer lines once they are allowed', () => {
  const reader = createLineReader(3);
  reader.allow(100);
  expect(reader.read(Buffer.from('123456\n'))).toEqual(['123456']);
});

it('returns the messages that were written, however they are split', () => {
  const splits = fc.array(fc.nat({ max: 300 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.object()), splits, (messages, offsets) => {
      const bytes = Buffer.from(messages.map(toLine).join(''));
      const cuts = [0, ...offsets.toSorted((one, other) => one - other), bytes.length];
      const reader = createLineReader(1_000_000);
      const lines = cuts.flatMap(
        (cut, index) => reader.read(bytes.subarray(cuts[index - 1] ?? 0, cut)) ?? [],
      );
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        messages.map((message) => JSON.parse(JSON.stringify(message))),
      );
    }),
  );
});
