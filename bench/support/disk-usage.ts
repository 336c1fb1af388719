import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const BLOCK_BYTES = 512;
const MB = 1_000_000;

/** Disk usage of the files below some folders; holes do not count. */
export async function diskMb(root: string, folders: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    for (const name of names) {
      const found = await stat(join(root, folder, name)).catch(() => undefined);
      if (found?.isFile()) bytes += found.blocks * BLOCK_BYTES;
    }
  }
  return bytes / MB;
}
