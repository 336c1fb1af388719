import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatCommand, parseSuperblock, SUPERBLOCK, type Superblock } from './ext4.ts';
import { attachLoopDevice, hasErrorsWhileMounted, releaseLoopDevice } from './loop-devices.ts';
import { runTool, ToolFailed } from './run-tool.ts';

const FORMAT_TIMEOUT_MS = 60_000;
const REPAIR_TIMEOUT_MS = 10 * 60_000;
/** The exit code of e2fsck. */
const REPAIRED = 1;
const never = new AbortController().signal;

export type NewImage = {
  image: string;
  sizeBytes: number;
  /** The id of the user and group of its first folder; root when undefined. */
  owner?: number;
  /** Writes the first files. */
  fill?: (draft: string) => Promise<void>;
};

/** Makes an image with a file system. It gets its name only when it is complete and safe on the machine's disk. */
export async function createImage(
  { image, sizeBytes, owner = 0, fill }: NewImage,
  signal: AbortSignal,
): Promise<void> {
  const draft = draftOf(image);
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.truncate(sizeBytes).finally(() => file.close());
    await runTool(formatCommand(draft, owner), { signal, timeoutMs: FORMAT_TIMEOUT_MS });
    await fill?.(draft);
    await sync(draft);
    await rename(draft, image);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await sync(dirname(image));
}

/** Programs that still use the file system keep only an empty file. */
export async function removeImage(image: string): Promise<void> {
  const draft = draftOf(image);
  if (hasImage(image)) {
    await rename(image, draft);
    const file = await open(draft, 'r+');
    await file.truncate(0).finally(() => file.close());
  }
  await rm(draft, { force: true });
}

export function hasImage(image: string): boolean {
  return statSync(image, { throwIfNoEntry: false }) !== undefined;
}

/** Undefined when the image has no file system. */
export function readSuperblock(image: string): Superblock | undefined {
  const superblock = Buffer.alloc(SUPERBLOCK.bytes);
  const file = openSync(image, 'r');
  try {
    readSync(file, superblock, 0, SUPERBLOCK.bytes, SUPERBLOCK.offset);
  } finally {
    closeSync(file);
  }
  return parseSuperblock(superblock);
}

/**
 * Whether the kernel has found errors in the file system: for example because the machine's disk was full. The machine may have
 * been too full to write that into the image, so that only the kernel knows it.
 */
export function hasErrors(image: string): boolean {
  return readSuperblock(image)?.hasErrors === true || hasErrorsWhileMounted(image);
}

/**
 * Repairs the file system without a loss if that is possible. Otherwise files without a folder are moved to lost+found, and what
 * cannot be read is removed. Nobody may use the image; until the end nobody can mount it, not even after the server was killed,
 * because the kernel lets only one program have its loop device.
 */
export async function repairImage(image: string, signal: AbortSignal): Promise<void> {
  // Not aborted: nobody would release it.
  const device = await attachLoopDevice(image, never);
  try {
    await checkFileSystem(device.path, ['-f', '-p'], signal).catch(async (error: unknown) => {
      if (!(error instanceof ToolFailed)) throw error;
      await checkFileSystem(device.path, ['-f', '-y'], signal);
    });
  } finally {
    await releaseLoopDevice(device, never);
  }
}

/** `-p` repairs what can be repaired without a loss, `-y` everything. Without `-f`, it trusts a file system without an error flag. */
export async function checkFileSystem(
  path: string,
  options: ('-f' | '-p' | '-y')[],
  signal: AbortSignal,
): Promise<void> {
  const argv = ['e2fsck', ...options, path] as const;
  await runTool(argv, { signal, timeoutMs: REPAIR_TIMEOUT_MS, maxCode: REPAIRED });
}

function draftOf(image: string): string {
  return `${image}.draft`;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
