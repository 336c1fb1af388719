import type { Argv } from './run-tool.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** node_modules has about one file per 10 KB. The tables take 3 % of the disk, and no space of the machine until used. */
const BYTES_PER_FILE = 8192;
/** The journal is written in circles, so that each image grows by its size. */
const JOURNAL_BYTES = 32 * MIB;
/** Only the server can use the rest, so that it can also start an app whose disk is full. */
const RESERVED_PERCENT = 1;
const MAGIC = 0xef53;
const STATE_HAS_ERRORS = 2;

/**
 * `discard` gives freed blocks back to the machine, at no measurable cost. A new image reads as zeros, so that initializing its
 * tables would only fill it (`noinit_itable`).
 */
export const MOUNT_OPTIONS = 'nosuid,nodev,noatime,discard,noinit_itable,errors=remount-ro';

export function formatCommand(image: string, owner: number): Argv {
  const layout = ['-b', '4096', '-I', '256', '-i', String(BYTES_PER_FILE)];
  const reserve = ['-m', String(RESERVED_PERCENT)];
  const journal = ['-J', `size=${JOURNAL_BYTES / MIB}`];
  const initialization = [
    '-E',
    `lazy_itable_init=1,lazy_journal_init=1,root_owner=${owner}:${owner}`,
  ];
  return [
    'mkfs.ext4',
    '-q',
    '-F',
    ...layout,
    ...reserve,
    ...journal,
    ...initialization,
    '--',
    image,
  ];
}

/** The size of a disk that these files fill to four fifths, in whole GiB. */
export function diskSizeFor(bytes: number, files: number): number {
  const neededBytes = Math.max(bytes, files * BYTES_PER_FILE) * 1.25 + JOURNAL_BYTES;
  return Math.ceil(neededBytes / GIB) * GIB;
}

export type DiskUsage = { usedBytes: number; totalBytes: number };

/** What a file system says about itself. It is out of date while the file system is mounted. */
export type Superblock = { usage: DiskUsage; hasErrors: boolean };

export const SUPERBLOCK = { offset: 1024, bytes: 1024 };

/** The usage has the same numbers as statfs(2). Undefined when it is no superblock. */
export function parseSuperblock(superblock: Buffer): Superblock | undefined {
  if (superblock.readUInt16LE(0x38) !== MAGIC) return undefined;
  const blockBytes = 1024 * 2 ** superblock.readUInt32LE(0x18);
  const count = (low: number, high: number) =>
    superblock.readUInt32LE(low) + superblock.readUInt32LE(high) * 2 ** 32;
  const total = count(0x04, 0x150) - superblock.readUInt32LE(0x248);
  const free = count(0x0c, 0x158);
  return {
    usage: { usedBytes: (total - free) * blockBytes, totalBytes: total * blockBytes },
    hasErrors: (superblock.readUInt16LE(0x3a) & STATE_HAS_ERRORS) !== 0,
  };
}
