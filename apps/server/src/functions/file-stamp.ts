import type { Stats } from 'node:fs';

/** Differs when a file was written again or replaced. */
export function stampOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
