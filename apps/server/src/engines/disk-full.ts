import { statfs } from 'node:fs/promises';
import { MACHINE_RESERVE_BYTES } from '../sandbox/disk/app-disks.ts';

/** Not the code ENOSPC, because it is also used for too many file watches. */
const DISK_FULL_MESSAGE = /no space left on device|disk quota exceeded|out of diskspace/i;
const FULL_BYTES = 1024 ** 2;
/** A file system of 20 GB has about 1.3 million. */
const MACHINE_RESERVE_FILES = 2 ** 16;
const LOW_RESERVES = 3;

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

/** `short`: too little for new builds. `low`: soon so, if an app writes fast. */
export type SpaceLevel = 'enough' | 'low' | 'short';

type FreeSpace = { bavail: number; bsize: number; files: number; ffree: number };

/** Of the disk with the least space among those with these folders. */
export async function machineSpace(folders: string[]): Promise<SpaceLevel> {
  const levels = (await Promise.all(folders.map((folder) => statfs(folder)))).map(spaceLevel);
  return (['short', 'low'] as const).find((level) => levels.includes(level)) ?? 'enough';
}

export async function isMachineShort(folders: string[]): Promise<boolean> {
  return (await machineSpace(folders)) === 'short';
}

/** Empty files take no bytes, but a disk without free inodes is as useless as a full one. */
export function spaceLevel({ bavail, bsize, files, ffree }: FreeSpace): SpaceLevel {
  // Some file systems have no limit of files, and report none.
  const freeFiles = files === 0 ? Number.POSITIVE_INFINITY : ffree;
  const reserves = Math.min(
    (bavail * bsize) / MACHINE_RESERVE_BYTES,
    freeFiles / MACHINE_RESERVE_FILES,
  );
  if (reserves < 1) return 'short';
  return reserves < LOW_RESERVES ? 'low' : 'enough';
}
