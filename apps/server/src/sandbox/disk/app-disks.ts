import { mkdir, readdir, realpath, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { checkMachineSpace, createImage, hasImage, readUsage, removeImage } from './disk-image.ts';
import type { DiskUsage } from './ext4.ts';
import { listLoopDevices } from './loop-devices.ts';
import { mountImage, unmountFolder } from './mounted-disk.ts';
import { runTool } from './run-tool.ts';

export const DEFAULT_DISK_BYTES = 10 * 1024 ** 3;

export type OpenDisk = {
  /** Where the server sees the disk. */
  folder: string;
  close(): Promise<void>;
};

/**
 * A disk of limited size per app: a sparse image with an ext4 file system. It is mounted in the server's mount namespace only
 * while somebody has it open. A sandbox that got folders of it keeps the file system until its last process ends.
 */
export type AppDisks = {
  /** Makes the disk when the app has none. Several openers share one mount. */
  open(appId: string, signal: AbortSignal): Promise<OpenDisk>;
  /** Undefined when the app has no disk. */
  usage(appId: string, signal: AbortSignal): Promise<DiskUsage | undefined>;
  /** Removes the disk. Its users must have exited. */
  remove(appId: string, signal: AbortSignal): Promise<void>;
  /** At the start of the server: unmounts what an earlier server left mounted, and frees unused loop devices. */
  sweep(signal: AbortSignal): Promise<void>;
};

export type AppDisksOptions = {
  /** Has a folder per app, with the image in it. Apps cannot write to these folders. */
  appsFolder: string;
  /** For the mount points. Only root has access. */
  mountsFolder: string;
  /** Of new disks. */
  sizeBytes: number;
};

const IMAGE = 'disk.img';
const APP_ID = /^[A-Za-z0-9-]+$/;
const DETACH_TIMEOUT_MS = 30_000;

export function createAppDisks({ appsFolder, mountsFolder, sizeBytes }: AppDisksOptions): AppDisks {
  const mutex = createKeyedMutex();
  const mounts = new Map<string, { openers: number }>();

  function open(appId: string, signal: AbortSignal): Promise<OpenDisk> {
    const image = imageOf(appId);
    return mutex.run(
      appId,
      async () => {
        const folder = await mountPointOf(appId);
        const mount = mounts.get(appId) ?? { openers: 0 };
        if (mount.openers === 0) {
          if (!(await hasImage(image))) await create(image, signal);
          await mountImage(image, folder, signal);
        }
        mount.openers += 1;
        mounts.set(appId, mount);
        let closed: Promise<void> | undefined;
        return {
          folder,
          close() {
            closed ??= mutex.run(appId, () => close(appId, mount));
            return closed;
          },
        };
      },
      signal,
    );
  }

  async function create(image: string, signal: AbortSignal): Promise<void> {
    await mkdir(dirname(image), { recursive: true, mode: 0o711 });
    await checkMachineSpace(dirname(image));
    await createImage({ image, sizeBytes }, signal);
  }

  async function close(appId: string, mount: { openers: number }): Promise<void> {
    mount.openers -= 1;
    // `remove` unmounts without waiting for openers.
    if (mount.openers > 0 || mounts.get(appId) !== mount) return;
    mounts.delete(appId);
    await unmountFolder(await mountPointOf(appId));
  }

  function imageOf(appId: string): string {
    if (!APP_ID.test(appId)) throw new Error('An app id is made of letters, digits and hyphens');
    return join(appsFolder, appId, IMAGE);
  }

  /** A real path, as the kernel lists it. */
  async function mountPointOf(name: string): Promise<string> {
    await mkdir(mountsFolder, { recursive: true, mode: 0o700 });
    return join(await realpath(mountsFolder), name);
  }

  async function mountedUsage(appId: string, signal: AbortSignal): Promise<DiskUsage> {
    const disk = await open(appId, signal);
    try {
      const { blocks, bfree, bsize } = await statfs(disk.folder);
      return { usedBytes: (blocks - bfree) * bsize, totalBytes: blocks * bsize };
    } finally {
      await disk.close();
    }
  }

  return {
    open,
    async usage(appId, signal) {
      const image = imageOf(appId);
      if (!(await hasImage(image))) return undefined;
      const path = await realpath(image);
      const isInUse = (await listLoopDevices()).some((device) => device.image === path);
      return isInUse ? await mountedUsage(appId, signal) : await readUsage(image);
    },
    remove(appId, signal) {
      const image = imageOf(appId);
      const remove = async () => {
        mounts.delete(appId);
        await unmountFolder(await mountPointOf(appId));
        await removeImage(image);
      };
      return mutex.run(appId, remove, signal);
    },
    async sweep(signal) {
      const folder = dirname(await mountPointOf('any'));
      for (const name of await readdir(folder)) await unmountFolder(join(folder, name));
      await mkdir(appsFolder, { recursive: true, mode: 0o711 });
      const images = await realpath(appsFolder);
      for (const device of await listLoopDevices()) {
        if (device.isAutomatic || dirname(dirname(device.image)) !== images) continue;
        const argv = ['losetup', '--detach', device.path] as const;
        await runTool(argv, { signal, timeoutMs: DETACH_TIMEOUT_MS });
      }
    },
  };
}
