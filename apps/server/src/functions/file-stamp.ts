import type { Stats } from 'node:fs';

/** Changes when a file is written or replaced. */
export function fileStamp({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
