import { statfs } from 'node:fs/promises';

/** Not the code ENOSPC, because it is also used for too many file watches. */
const DISK_FULL_MESSAGE = /no space left on device|disk quota exceeded|out of diskspace/i;
const FULL_BYTES = 1024 ** 2;

/** Whether the output of a program reports a full disk. */
export function mentionsDiskFull(output: string): boolean {
  return DISK_FULL_MESSAGE.test(output);
}

/** Whether the disk of a folder is full, of bytes or of files. */
export async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  // Some file systems have no limit of files, and report none.
  return bavail * bsize < FULL_BYTES || (files > 0 && ffree === 0);
}
