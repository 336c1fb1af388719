import { expect, it } from 'vitest';
import { diskSizeFor, parseSuperblock, SUPERBLOCK } from './ext4.ts';

const GIB = 1024 ** 3;

it.each([
  ['nothing', 0, 0, 1 * GIB],
  ['large files', 8 * GIB, 10, 11 * GIB],
  ['many small files', 1 * GIB, 1024 ** 2, 11 * GIB],
])('makes a disk larger than %s', (_, bytes, files, expected) => {
  expect(diskSizeFor(bytes, files)).toBe(expected);
});

it('reads sizes above 32 bits and the mark for errors from a superblock', () => {
  const superblock = Buffer.alloc(SUPERBLOCK.bytes);
  superblock.writeUInt16LE(0xef53, 0x38);
  superblock.writeUInt32LE(2, 0x18);
  superblock.writeUInt32LE(100, 0x04);
  superblock.writeUInt32LE(2, 0x150);
  superblock.writeUInt32LE(30, 0x0c);
  superblock.writeUInt32LE(1, 0x158);
  superblock.writeUInt32LE(20, 0x248);
  const totalBytes = (2 * 2 ** 32 + 80) * 4096;
  const usage = { totalBytes, usedBytes: (2 ** 32 + 50) * 4096 };
  expect(parseSuperblock(superblock)).toEqual({ usage, hasErrors: false });
  superblock.writeUInt16LE(3, 0x3a);
  expect(parseSuperblock(superblock)).toEqual({ usage, hasErrors: true });
});

it('reads nothing from other bytes', () => {
  expect(parseSuperblock(Buffer.alloc(SUPERBLOCK.bytes))).toBeUndefined();
});
