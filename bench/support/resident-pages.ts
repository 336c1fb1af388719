import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Consecutive pages of a process, of which at least one is resident. */
export type PageRange = { firstPage: number; pages: number };

const PAGE_BYTES = 4096;
const ENTRY_BYTES = 8;
const PRESENT = 1n << 63n;
const FRAME = (1n << 55n) - 1n;

/**
 * Memory of a group of processes. Each page counts once and in full, however many processes share it. PSS would
 * divide the pages of Node's binary among all Node processes of the machine, including this one. Undefined without
 * root, because the kernel hides page frames.
 */
export function residentBytes(pids: readonly number[]): number | undefined {
  const frames = new Set<bigint>();
  for (const pid of pids) for (const frame of framesOf(pid)) frames.add(frame);
  return frames.size <= 1 ? undefined : frames.size * PAGE_BYTES;
}

/** Reads `/proc/<pid>/smaps`: each mapping starts with its addresses, followed by `Rss:`. */
export function residentRanges(smaps: string): PageRange[] {
  const mappings = smaps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) [\s\S]*?^Rss:\s+(\d+) kB$/gm);
  return [...mappings]
    .filter(([, , , residentKb]) => residentKb !== '0')
    .map(([, from = '', to = '']) => {
      const firstPage = Number.parseInt(from, 16) / PAGE_BYTES;
      return { firstPage, pages: Number.parseInt(to, 16) / PAGE_BYTES - firstPage };
    });
}

function framesOf(pid: number): bigint[] {
  const ranges = residentRanges(readFileSync(`/proc/${pid}/smaps`, 'utf8'));
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    return ranges.flatMap((range) => framesIn(pagemap, range));
  } finally {
    closeSync(pagemap);
  }
}

function framesIn(pagemap: number, { firstPage, pages }: PageRange): bigint[] {
  const entries = Buffer.alloc(pages * ENTRY_BYTES);
  const bytes = readSync(pagemap, entries, 0, entries.length, firstPage * ENTRY_BYTES);
  const frames: bigint[] = [];
  for (let at = 0; at < bytes; at += ENTRY_BYTES) {
    const entry = entries.readBigUInt64LE(at);
    if ((entry & PRESENT) !== 0n) frames.push(entry & FRAME);
  }
  return frames;
}
