import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineFailure } from '../../engines/failure.ts';
import { type DiskUsage, formatCommand, parseUsage, SUPERBLOCK } from './ext4.ts';
import { runTool } from './run-tool.ts';

/** Images are sparse: when the machine is full, writes that an app believes to be stored fail. */
const MACHINE_RESERVE_BYTES = 1024 ** 3;
const FORMAT_TIMEOUT_MS = 60_000;

export type NewImage = { image: string; sizeBytes: number };

/**
 * Makes an image with an empty file system, and lets `fill` write to it. The image gets its name only when it is complete and
 * on the disk of the machine.
 */
export async function createImage(
  { image, sizeBytes }: NewImage,
  signal: AbortSignal,
  fill: (draft: string) => Promise<void> = async () => {},
): Promise<void> {
  const draft = draftOf(image);
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.truncate(sizeBytes).finally(() => file.close());
    await runTool(formatCommand(draft), { signal, timeoutMs: FORMAT_TIMEOUT_MS });
    await fill(draft);
    await sync(draft);
    await rename(draft, image);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await sync(dirname(image));
}

/** Rejects when the machine has no space for `neededBytes` and the reserve. */
export async function checkMachineSpace(folder: string, neededBytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes + MACHINE_RESERVE_BYTES) throw new EngineFailure('disk-full');
}

/** A program that still has the file system mounted keeps only an empty file. */
export async function removeImage(image: string): Promise<void> {
  const draft = draftOf(image);
  try {
    await rename(image, draft);
    const file = await open(draft, 'r+');
    await file.truncate(0).finally(() => file.close());
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await rm(draft, { force: true });
}

export async function hasImage(image: string): Promise<boolean> {
  try {
    await stat(image);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** What the superblock says; undefined when the image has no file system. */
export async function readUsage(image: string): Promise<DiskUsage | undefined> {
  const superblock = Buffer.alloc(SUPERBLOCK.bytes);
  const file = await open(image, 'r');
  await file.read(superblock, 0, SUPERBLOCK.bytes, SUPERBLOCK.offset).finally(() => file.close());
  return parseUsage(superblock);
}

function draftOf(image: string): string {
  return `${image}.draft`;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
