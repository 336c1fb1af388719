import { statfs } from 'node:fs/promises';

/** The code ENOSPC also says that too many files are watched, which is no matter of the disk. */
const SENTENCE = /no space left on device|disk quota exceeded|out of diskspace/i;
const FULL_BYTES = 1024 ** 2;

/** Whether a program ended for want of room, by what it printed. */
export function mentionsDiskFull(output: string): boolean {
  return SENTENCE.test(output);
}

/** Whether the disk that a folder is on has no room left. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < FULL_BYTES;
}
