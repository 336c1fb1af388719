import { mkdirSync, realpathSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { type AppDisk, flushDisk, importFolders, mountDisk } from './app-disk.ts';
import type { CopyOptions } from './copy-folders.ts';
import { hasErrors, hasImage, readSuperblock, removeImage } from './disk-image.ts';
import type { DiskUsage } from './ext4.ts';
import {
  findLoopDevice,
  listLoopDevices,
  preferDirectIo,
  releaseLoopDevice,
} from './loop-devices.ts';
import { unmountFolder } from './mount-image.ts';

export const DEFAULT_DISK_BYTES = 10 * 1024 ** 3;

export type OpenDisk = {
  /** Where the server sees the disk. */
  folder: string;
  /** Resolves when everything that was written survives an error of the disk and a crash of the machine. */
  flush(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/**
 * A disk of limited size per app: a sparse image with an ext4 file system. It is mounted in the server's mount namespace only
 * while somebody has it open. A sandbox that got folders of it keeps the file system until its last process ends.
 */
export type AppDisks = {
  /** Makes the disk when the app has none. Several openers share one mount. */
  open(appId: string, signal: AbortSignal): Promise<OpenDisk>;
  /**
   * Makes the disk with copies of folders, and large enough for them. Does nothing when the app has a disk; after a failure or a
   * crash it has none.
   */
  importFolders(appId: string, folders: readonly string[], options: CopyOptions): Promise<void>;
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
  sizeBytes: AppDisk['sizeBytes'];
  machineReserveBytes?: AppDisk['machineReserveBytes'];
  endUsers?: (appId: string) => Promise<void>;
};

type SharedMount = { openers: number };

/** The start of an app is over by then. */
const TUNE_AFTER_MS = 500;

const APP_ID = /^[A-Za-z0-9-]+$/;
/** What the machine must keep free: its own programs and all apps need it. */
export const MACHINE_RESERVE_BYTES = 1024 ** 3;

export function createAppDisks(options: AppDisksOptions): AppDisks {
  const { appsFolder, mountsFolder, sizeBytes } = options;
  const { machineReserveBytes = MACHINE_RESERVE_BYTES } = options;
  const mutex = createKeyedMutex();
  const mounts = new Map<string, SharedMount>();

  async function withDisk<Result>(
    appId: string,
    signal: AbortSignal | undefined,
    work: (disk: AppDisk) => Promise<Result>,
  ): Promise<Result> {
    if (!APP_ID.test(appId)) throw new Error('An app id is made of letters, digits and hyphens');
    const { apps, mountPoints } = prepareFolders();
    const image = join(apps, appId, 'disk.img');
    const endUsers = options.endUsers && (() => options.endUsers?.(appId) ?? Promise.resolve());
    const folder = join(mountPoints, appId);
    const disk = { image, folder, sizeBytes, machineReserveBytes, endUsers };
    return await mutex.run(appId, () => work(disk), signal);
  }

  function prepareFolders(): { apps: string; mountPoints: string } {
    mkdirSync(appsFolder, { recursive: true, mode: 0o711 });
    mkdirSync(mountsFolder, { recursive: true, mode: 0o700 });
    return { apps: realpathSync(appsFolder), mountPoints: realpathSync(mountsFolder) };
  }

  async function share(appId: string, disk: AppDisk, signal: AbortSignal): Promise<OpenDisk> {
    let mount = mounts.get(appId);
    if (mount === undefined) {
      createFolderOf(disk);
      await mountDisk(disk, signal);
      mount = { openers: 0 };
      // The device outlives the mount, if an app uses it.
      setTimeout(() => preferDirectIo(disk.image).catch(() => {}), TUNE_AFTER_MS).unref();
      mounts.set(appId, mount);
    }
    mount.openers += 1;
    let closed: Promise<void> | undefined;
    return {
      folder: disk.folder,
      flush: (signal) => flushDisk(disk, signal),
      close() {
        closed ??= withDisk(appId, undefined, () => endUse(appId, disk, mount));
        return closed;
      },
    };
  }

  async function endUse(appId: string, disk: AppDisk, mount: SharedMount): Promise<void> {
    mount.openers -= 1;
    // A removed disk is unmounted already, and the app may have a new one.
    if (mount.openers > 0 || mounts.get(appId) !== mount) return;
    await unmount(appId, disk);
  }

  async function unmount(appId: string, { folder }: AppDisk): Promise<void> {
    mounts.delete(appId);
    await unmountFolder(folder);
  }

  return {
    open: (appId, signal) => withDisk(appId, signal, (disk) => share(appId, disk, signal)),

    importFolders: (appId, folders, options) =>
      withDisk(appId, options.signal, async (disk) => {
        if (hasImage(disk.image)) return;
        createFolderOf(disk);
        await importFolders(disk, folders, options);
      }),

    async usage(appId, signal) {
      const found = await withDisk(appId, signal, async (disk) => {
        if (!hasImage(disk.image)) return undefined;
        const isCurrent = (await findLoopDevice(disk.image)) === undefined;
        if (isCurrent || hasErrors(disk.image)) return readSuperblock(disk.image)?.usage;
        return await share(appId, disk, signal);
      });
      if (found === undefined || 'usedBytes' in found) return found;
      const { blocks, bfree, bsize } = await statfs(found.folder).finally(found.close);
      return { usedBytes: (blocks - bfree) * bsize, totalBytes: blocks * bsize };
    },

    remove: (appId, signal) =>
      withDisk(appId, signal, async (disk) => {
        await unmount(appId, disk);
        await removeImage(disk.image);
      }),

    async sweep(signal) {
      const { apps, mountPoints } = prepareFolders();
      for (const name of await readdir(mountPoints)) await unmountFolder(join(mountPoints, name));
      for (const device of await listLoopDevices()) {
        const isOurs = dirname(dirname(device.image)) === apps;
        if (isOurs && !device.isAutomatic) await releaseLoopDevice(device, signal);
      }
    },
  };
}

function createFolderOf({ image }: AppDisk): void {
  mkdirSync(dirname(image), { recursive: true, mode: 0o711 });
}
