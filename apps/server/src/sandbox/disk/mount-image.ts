import { mkdirSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { MOUNT_OPTIONS } from './ext4.ts';
import { listMountPoints } from './mount-table.ts';
import { runTool } from './run-tool.ts';

/** Includes the replay of the journal after a crash of the machine. */
const MOUNT_TIMEOUT_MS = 60_000;
const UNMOUNT_TIMEOUT_MS = 30_000;
const FLUSH_TIMEOUT_MS = 10 * 60_000;

export type ImageMount = {
  image: string;
  /** A real path. Created for the mount, and removed by `unmountFolder`. */
  folder: string;
};

/**
 * Mounts an image. `mount` uses the loop device that an image already has, so that there is never a second one, and the kernel
 * frees the device when no mount namespace has the file system any more.
 */
export async function mountImage(
  { image, folder }: ImageMount,
  signal: AbortSignal,
): Promise<void> {
  await unmountFolder(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = `loop,${MOUNT_OPTIONS}`;
  const argv = ['mount', '--no-mtab', '-t', 'ext4', '-o', options, '--', image, folder] as const;
  try {
    await runTool(argv, { signal, timeoutMs: MOUNT_TIMEOUT_MS });
  } catch (error) {
    await unmountFolder(folder);
    throw error;
  }
}

/** Resolves when the image has everything that was written to the folder. Rejects when some of it is lost. */
export async function flushFolder(folder: string, signal: AbortSignal): Promise<void> {
  const argv = ['sync', '--file-system', '--', folder] as const;
  await runTool(argv, { signal, timeoutMs: FLUSH_TIMEOUT_MS });
}

/**
 * Unmounts whatever is mounted on the folder, and removes the folder: with it the kernel removes the copies of the mount that
 * other mount namespaces may have got.
 */
export async function unmountFolder(folder: string): Promise<void> {
  const signal = AbortSignal.timeout(UNMOUNT_TIMEOUT_MS);
  const argv = ['umount', '--no-mtab', '--lazy', '--', folder] as const;
  while (listMountPoints().includes(folder)) {
    await runTool(argv, { signal, timeoutMs: UNMOUNT_TIMEOUT_MS });
  }
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    // A folder with files was never a mount point of ours.
    if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
  });
}
