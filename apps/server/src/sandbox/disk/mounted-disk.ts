import { mkdir, rmdir } from 'node:fs/promises';
import { EngineFailure } from '../../engines/failure.ts';
import { MOUNT_OPTIONS } from './ext4.ts';
import { listMountPoints } from './mount-table.ts';
import { runTool, ToolFailed } from './run-tool.ts';

/** Includes the replay of the journal after a crash of the machine. */
const MOUNT_TIMEOUT_MS = 60_000;
const UNMOUNT_TIMEOUT_MS = 30_000;

/**
 * Mounts an image. `mount` uses the loop device that an image already has, so that there is never a second one, and the kernel
 * frees the device when no mount namespace has the file system any more.
 */
export async function mountImage(
  image: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await unmountFolder(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const argv = [
      'mount',
      '-t',
      'ext4',
      '-o',
      `loop,${MOUNT_OPTIONS}`,
      '--',
      image,
      folder,
    ] as const;
    await runTool(argv, { signal, timeoutMs: MOUNT_TIMEOUT_MS });
  } catch (error) {
    await unmountFolder(folder);
    if (!(error instanceof ToolFailed)) throw error;
    throw new EngineFailure('engine-failed', ['The disk of the app could not be mounted.'], {
      cause: error,
    });
  }
}

/**
 * Unmounts whatever is mounted on the folder, and removes the folder: with it the kernel removes the copies of the mount that
 * other mount namespaces may have got.
 */
export async function unmountFolder(folder: string): Promise<void> {
  const signal = AbortSignal.timeout(UNMOUNT_TIMEOUT_MS);
  while ((await listMountPoints()).includes(folder)) {
    await runTool(['umount', '--lazy', '--', folder], { signal, timeoutMs: UNMOUNT_TIMEOUT_MS });
  }
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
