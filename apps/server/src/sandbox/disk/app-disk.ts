import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineFailure } from '../../engines/failure.ts';
import { type CopyOptions, copyFolders, measureFolders } from './copy-folders.ts';
import { createImage, hasImage, readSuperblock, repairImage } from './disk-image.ts';
import { diskSizeFor } from './ext4.ts';
import { isInUse } from './loop-devices.ts';
import { type ImageMount, mountImage, unmountFolder } from './mount-image.ts';
import { ToolFailed } from './run-tool.ts';

/** The disk of one app. Its paths are real ones, as the kernel lists them. */
export type AppDisk = ImageMount & {
  /** Of a new disk. */
  sizeBytes: number;
  /**
   * What the machine must have free for a new disk. A write into a sparse image that finds the machine full is reported to the
   * app too late, and sets its file system read-only.
   */
  machineReserveBytes: number;
  /** Ends the programs of the app, which can do little on a read-only disk. Undefined: they stay. */
  endUsers?: (() => Promise<void>) | undefined;
};

const END_TIMEOUT_MS = 10_000;
const END_CHECK_MS = 50;

/** Mounts the disk. Makes it when the app has none. */
export async function mountDisk(disk: AppDisk, signal: AbortSignal): Promise<void> {
  const { image } = disk;
  try {
    if (!hasImage(image)) {
      await checkMachineSpace(disk, 0);
      await createImage(disk, signal);
    } else if (readSuperblock(image)?.hasErrors) {
      await repair(disk, signal);
    }
    await mountImage(disk, signal);
  } catch (error) {
    throw await explain(error, disk, 'The disk of the app could not be mounted.');
  }
}

/** Makes the disk with copies of the folders, and large enough for them. */
export async function importFolders(
  disk: AppDisk,
  folders: readonly string[],
  options: CopyOptions,
): Promise<void> {
  const { image, folder } = disk;
  const { signal } = options;
  async function fill(draft: string): Promise<void> {
    await mountImage({ image: draft, folder }, signal);
    try {
      await copyFolders(folders, folder, options);
    } finally {
      await unmountFolder(folder);
    }
  }
  try {
    const { bytes, files } = await measureFolders(folders, signal);
    await checkMachineSpace(disk, bytes);
    const sizeBytes = Math.max(disk.sizeBytes, diskSizeFor(bytes, files));
    await createImage({ image, sizeBytes, fill }, signal);
  } catch (error) {
    throw await explain(error, disk, 'The files of the app could not be copied to its disk.');
  }
}

/** The kernel has set a file system with errors read-only. It can be repaired when nobody has it mounted any more. */
async function repair({ image, endUsers }: AppDisk, signal: AbortSignal): Promise<void> {
  await endUsers?.();
  const until = performance.now() + (endUsers === undefined ? 0 : END_TIMEOUT_MS);
  while ((await isInUse(image, signal)) && performance.now() < until) {
    await delay(END_CHECK_MS, undefined, { signal });
  }
  if (await isInUse(image, signal)) {
    throw new EngineFailure('engine-failed', [
      'The disk of the app is read-only after an error. Hibernate the app and wake it to repair the disk.',
    ]);
  }
  await repairImage(image, signal);
}

async function checkMachineSpace(disk: AppDisk, neededBytes: number): Promise<void> {
  const reserveBytes = neededBytes + disk.machineReserveBytes;
  if ((await freeBytes(disk)) < reserveBytes) throw new EngineFailure('disk-full');
}

/** On a full machine all tools fail, each with another message. */
async function explain(error: unknown, disk: AppDisk, text: string): Promise<unknown> {
  if (!(error instanceof ToolFailed)) return error;
  return (await freeBytes(disk)) < disk.machineReserveBytes
    ? new EngineFailure('disk-full', [], { cause: error })
    : new EngineFailure('engine-failed', [text], { cause: error });
}

async function freeBytes({ image }: AppDisk): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(image));
  return bavail * bsize;
}
