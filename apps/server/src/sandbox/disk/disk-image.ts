import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatCommand, parseSuperblock, SUPERBLOCK, type Superblock } from './ext4.ts';
import { runTool } from './run-tool.ts';

const FORMAT_TIMEOUT_MS = 60_000;
const REPAIR_TIMEOUT_MS = 10 * 60_000;

export type NewImage = {
  image: string;
  sizeBytes: number;
  /** Writes the first files. */
  fill?: (draft: string) => Promise<void>;
};

/** Makes an image with a file system. It gets its name only when it is complete and safe on the machine's disk. */
export async function createImage(
  { image, sizeBytes, fill }: NewImage,
  signal: AbortSignal,
): Promise<void> {
  const draft = draftOf(image);
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.truncate(sizeBytes).finally(() => file.close());
    await runTool(formatCommand(draft), { signal, timeoutMs: FORMAT_TIMEOUT_MS });
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
 * Repairs what can be repaired without losing files, after the kernel found errors: for example because the machine's disk was
 * full. The image must have no loop device.
 */
export async function repairImage(image: string, signal: AbortSignal): Promise<void> {
  const argv = ['e2fsck', '-f', '-p', image] as const;
  // Exit code 1 means that everything is repaired.
  await runTool(argv, { signal, timeoutMs: REPAIR_TIMEOUT_MS, harmless: /./ });
}

function draftOf(image: string): string {
  return `${image}.draft`;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
