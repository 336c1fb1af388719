import { mkdir, readdir, realpath, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeyedMutex } from '../../../concurrency/keyed-semaphore.ts';
import {
  checkFileSystem,
  createImage,
  hasImage,
  removeImage,
} from '../../../sandbox/disk/disk-image.ts';
import { MOUNT_OPTIONS } from '../../../sandbox/disk/ext4.ts';
import {
  attachLoopDevice,
  findLoopDevice,
  type LoopDevice,
  listLoopDevices,
  releaseLoopDevice,
} from '../../../sandbox/disk/loop-devices.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import { ROOTLESS_ID } from '../../image-build/buildkitd.ts';
import type { BuilderOptions } from './builder-config.ts';

/** The disk of a builder: a file on the machine's disk, which cannot grow beyond its size. */
export type BuilderDisk = {
  cache: BuilderOptions['cache'];
  /** Once it is mounted: the kernel frees the device with the last mount. */
  release(): Promise<void>;
};

export type BuilderDisks = {
  open(slot: BuilderSlot, signal: AbortSignal): Promise<BuilderDisk>;
  /** For a builder that does not run. */
  remove(slot: BuilderSlot): Promise<void>;
  /** What the disks of an owner take of the machine. */
  usedBytes(ownerId: string): Promise<number>;
  /** Removes the disks that are not needed. Nobody can open one between the answer and its removal. */
  removeWhere(isUnneeded: (disk: UnusedDisk) => boolean): Promise<void>;
  /** When no builder runs: frees the devices that a killed server left. */
  releaseAll(): Promise<void>;
};

/** `unusedMs`: since the last builder was started with it. */
export type UnusedDisk = { slot: BuilderSlot; unusedMs: number };

const BLOCK_BYTES = 512;
const FREE_TIMEOUT_MS = 15_000;
const FREE_PAUSE_MS = 50;
const never = new AbortController().signal;

function diskFileName({ ownerId, number }: BuilderSlot): string {
  return `${ownerId}-${number}.img`;
}

/** Also of a disk that an interrupted start has not completed. */
function slotOfFile(file: string): BuilderSlot | undefined {
  const [, ownerId, number] = /^(.+)-(\d+)\.img(?:\.draft)?$/.exec(file) ?? [];
  return ownerId === undefined ? undefined : { ownerId, number: Number(number) };
}

export function createBuilderDisks(options: {
  dataDir: string;
  sizeBytes: number;
  clock: { now(): number };
}): BuilderDisks {
  const { dataDir, sizeBytes, clock } = options;
  const folder = join(dataDir, 'builders');
  const imageOf = (slot: BuilderSlot) => join(folder, diskFileName(slot));
  const mutex = createKeyedMutex();

  async function open(slot: BuilderSlot, signal: AbortSignal): Promise<BuilderDisk> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const image = join(await realpath(folder), diskFileName(slot));
    await waitUntilFree(image, signal);
    if (hasImage(image) && !(await isUsable(image, signal))) await removeImage(image);
    if (!hasImage(image)) await createImage({ image, sizeBytes, owner: ROOTLESS_ID }, signal);
    const now = clock.now() / 1000;
    await utimes(image, now, now);
    // Not aborted: nobody would release it.
    const device = await attachLoopDevice(image, never);
    return {
      cache: { device: device.path, options: MOUNT_OPTIONS },
      release: () => releaseLoopDevice(device, never),
    };
  }

  async function list() {
    const files = await readdir(folder).catch((): string[] => []);
    const found = files.map(async (file) => {
      const slot = slotOfFile(file);
      const stats = await stat(join(folder, file)).catch(() => undefined);
      return slot && stats && { slot, stats };
    });
    return (await Promise.all(found)).filter((disk) => disk !== undefined);
  }

  return {
    open: (slot, signal) => mutex.run(diskFileName(slot), () => open(slot, signal), signal),
    remove: (slot) => mutex.run(diskFileName(slot), () => removeImage(imageOf(slot))),
    async releaseAll() {
      const real = await realpath(folder).catch(() => undefined);
      const left = (await listLoopDevices()).filter(({ image }) => image.startsWith(`${real}/`));
      for (const device of left) await releaseLoopDevice(device, never);
    },
    async usedBytes(ownerId) {
      const own = (await list()).filter(({ slot }) => slot.ownerId === ownerId);
      return own.reduce((sum, { stats }) => sum + stats.blocks * BLOCK_BYTES, 0);
    },
    async removeWhere(isUnneeded) {
      for (const { slot, stats } of await list()) {
        await mutex.run(diskFileName(slot), async () => {
          const unusedMs = clock.now() - stats.mtimeMs;
          if (isUnneeded({ slot, unusedMs })) await removeImage(imageOf(slot));
        });
      }
    },
  };
}

/** A cache can be made again, so it is repaired only if nothing of it is lost. */
async function isUsable(image: string, signal: AbortSignal): Promise<boolean> {
  try {
    await checkFileSystem(image, ['-p'], signal);
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Two devices with one image would destroy the file system. The kernel frees a device a moment after its last use. */
async function waitUntilFree(image: string, signal: AbortSignal): Promise<void> {
  const until = performance.now() + FREE_TIMEOUT_MS;
  for (;;) {
    const device: LoopDevice | undefined = await findLoopDevice(image);
    if (device === undefined) return;
    // A server that was killed may have left it without a mount.
    if (!device.isAutomatic) await releaseLoopDevice(device, signal).catch(() => {});
    if (performance.now() > until) throw new Error(`${image} is still in use`);
    await delay(FREE_PAUSE_MS, undefined, { signal });
  }
}
