import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeRecord, decodeRecords, encodeRecord } from './log-record.ts';

const record = {
  sequence: 7,
  at: 1_700_000_000_000,
  name: 'app-3f2a91-1',
  text: 'a\tb \u001b[31mred',
};

it('decodes any text it encoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\n'));
      const line = { ...record, text };
      expect(decodeRecords(encodeRecord(line))).toEqual([line]);
    }),
  );
});

it.each(['', '7', '7\t1\tname', 'x\t1\tname\ttext', '\0\0\0'])('rejects %j', (line) => {
  expect(decodeRecord(line)).toBeUndefined();
});

it('skips incomplete and corrupt lines', () => {
  const content = `${encodeRecord(record)}garbage\n${encodeRecord({ ...record, sequence: 8 })}9\t17`;
  expect(decodeRecords(content).map(({ sequence }) => sequence)).toEqual([7, 8]);
});
