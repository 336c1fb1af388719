import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { residentBytes, residentRanges } from './resident-pages.ts';

const SMAPS = [
  '00400000-00403000 r-xp 00000000 fe:00 53 /programs/bin/node',
  'Size:                 12 kB',
  'Rss:                   8 kB',
  'Pss:                   4 kB',
  '00500000-00900000 ---p 00000000 00:00 0 ',
  'Size:               4096 kB',
  'Rss:                   0 kB',
  '7ffd1000-7ffd2000 rw-p 00000000 00:00 0 [stack]',
  'Rss:                   4 kB',
  '',
].join('\n');

describe('residentRanges', () => {
  it('ignores memory that is only reserved', () => {
    expect(residentRanges(SMAPS)).toEqual([
      { firstPage: 0x400, pages: 3 },
      { firstPage: 0x7ffd1, pages: 1 },
    ]);
  });
});

describe.runIf(process.getuid?.() === 0)('residentBytes', () => {
  it('counts a page once even if its process is listed twice', () => {
    const once = residentBytes([process.pid]) ?? 0;
    const twice = residentBytes([process.pid, process.pid]) ?? 0;
    const [, residentKb] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    expect(once / 1024 / Number(residentKb)).toBeCloseTo(1, 0);
    expect(twice / once).toBeCloseTo(1, 0);
  });
});
