import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineFailure } from '../../engines/failure.ts';
import { type CopyOptions, copyFolders, measureFolders } from './copy-folders.ts';
import { createImage, hasErrors, hasImage, repairImage } from './disk-image.ts';
import { diskSizeFor } from './ext4.ts';
import { isInUse } from './loop-devices.ts';
import { flushFolder, type ImageMount, mountImage, unmountFolder } from './mount-image.ts';
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
/** The kernel frees the device of a failed mount a moment later. */
const FREE_TIMEOUT_MS = 1_000;
const FREE_CHECK_MS = 50;

/** Mounts the disk. Makes it when the app has none. */
export async function mountDisk(disk: AppDisk, signal: AbortSignal): Promise<void> {
  const { image } = disk;
  try {
    if (!hasImage(image)) {
      await checkMachineSpace(disk, 0);
      await createImage(disk, signal);
    } else if (hasErrors(image)) {
      await endAndRepair(disk, signal);
    }
    await mountOrRepair(disk, signal);
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
      await flushFolder(folder, signal);
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

/** Resolves when everything that was written to the disk survives an error of it. */
export async function flushDisk(disk: AppDisk, signal: AbortSignal): Promise<void> {
  try {
    await flushFolder(disk.folder, signal);
  } catch (error) {
    throw await explain(error, disk, 'The files of the app could not be written to its disk.');
  }
}

/** The kernel has set a file system with errors read-only. It can be repaired when nobody has it mounted any more. */
async function endAndRepair(disk: AppDisk, signal: AbortSignal): Promise<void> {
  const { endUsers } = disk;
  await checkMachineSpace(disk, 0);
  await endUsers?.();
  if (await isFree(disk, endUsers === undefined ? 0 : END_TIMEOUT_MS, signal)) {
    return await repair(disk, signal);
  }
  throw new EngineFailure('engine-failed', [
    'The disk of the app is read-only after an error. Hibernate the app and wake it to repair the disk.',
  ]);
}

/** A damaged file system may have no error flag, for example because its superblock is damaged too. */
async function mountOrRepair(disk: AppDisk, signal: AbortSignal): Promise<void> {
  try {
    await mountImage(disk, signal);
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    // Programs of the app can use it, so it is not damaged.
    if (!(await isFree(disk, FREE_TIMEOUT_MS, signal))) throw error;
    await repair(disk, signal);
    await mountImage(disk, signal);
  }
}

/** On a full machine a repair would destroy the file system: the program does not expect that it cannot write. */
async function repair(disk: AppDisk, signal: AbortSignal): Promise<void> {
  await checkMachineSpace(disk, 0);
  await repairImage(disk.image, signal);
}

/** Waits until nobody uses the image any more. */
async function isFree(
  { image }: AppDisk,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (await isInUse(image, signal)) {
    if (performance.now() >= until) return false;
    await delay(FREE_CHECK_MS, undefined, { signal });
  }
  return true;
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
