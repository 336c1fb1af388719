import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runTool } from './run-tool.ts';

export type LoopDevice = {
  /** `/dev/loop3` */
  path: string;
  /** The real path of a file; one that was deleted ends with " (deleted)". */
  image: string;
  /** The kernel frees the device itself after its last use. */
  isAutomatic: boolean;
  usesDirectIo: boolean;
};

const DEVICES = '/sys/block';
const FILE_SYSTEMS = '/sys/fs/ext4';
const DELETED = / \(deleted\)$/;
const TIMEOUT_MS = 30_000;

/** The loop devices of the whole machine that have an image. */
export async function listLoopDevices(): Promise<LoopDevice[]> {
  const names = (await readdir(DEVICES)).filter((name) => name.startsWith('loop'));
  const devices = await Promise.all(names.map(readLoopDevice));
  return devices.filter((device) => device !== undefined);
}

async function readLoopDevice(name: string): Promise<LoopDevice | undefined> {
  const attribute = async (file: string) =>
    (await readFile(join(DEVICES, name, 'loop', file), 'utf8')).replace(/\n$/, '');
  try {
    return {
      path: join('/dev', name),
      image: await attribute('backing_file'),
      isAutomatic: (await attribute('autoclear')) === '1',
      usesDirectIo: (await attribute('dio')) === '1',
    };
  } catch {
    // Has no image, or lost it meanwhile.
    return undefined;
  }
}

export async function findLoopDevice(image: string): Promise<LoopDevice | undefined> {
  return (await listLoopDevices()).find((device) => device.image === image);
}

/** Gives an image a device. It stays until `releaseLoopDevice`. */
export async function attachLoopDevice(image: string, signal: AbortSignal): Promise<LoopDevice> {
  const argv = ['losetup', '--find', '--show', '--', image] as const;
  await runTool(argv, { signal, timeoutMs: TIMEOUT_MS });
  await preferDirectIo(image);
  const device = await findLoopDevice(image);
  if (device === undefined) throw new Error(`${image} has no loop device`);
  return device;
}

/** Finds the device by the file, not its path: the image may be mounted by another path of the machine. */
export async function isInUse(image: string, signal: AbortSignal): Promise<boolean> {
  const argv = ['losetup', '--associated', image] as const;
  return (await runTool(argv, { signal, timeoutMs: TIMEOUT_MS })).length > 0;
}

/** Whether the kernel has found errors in the file system of an image that somebody has mounted. */
export function hasErrorsWhileMounted(image: string): boolean {
  const isDamaged = (name: string) => {
    try {
      if (Number(readFileSync(join(FILE_SYSTEMS, name, 'errors_count'), 'utf8')) === 0)
        return false;
      return readFileSync(join(DEVICES, name, 'loop/backing_file'), 'utf8') === `${image}\n`;
    } catch {
      // Unmounted meanwhile.
      return false;
    }
  };
  const mounted = existsSync(FILE_SYSTEMS) ? readdirSync(FILE_SYSTEMS) : [];
  return mounted.filter((name) => name.startsWith('loop')).some(isDamaged);
}

/**
 * Lets the device of a mounted image bypass the machine's page cache, which would hold everything twice: sequential writes
 * become a third faster. Where the machine's file system does not support it, the cache stays in use.
 */
export async function preferDirectIo(image: string): Promise<void> {
  const device = await findLoopDevice(image);
  if (device === undefined || device.usesDirectIo) return;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const argv = ['losetup', '--direct-io=on', device.path] as const;
  await runTool(argv, { signal, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
}

/**
 * Lets the kernel free the device after its last use, or at once when nobody uses it. A device that was freed before may have the
 * image of another program by now. While it is open, its image does not change.
 */
export async function releaseLoopDevice(
  { path, image }: Pick<LoopDevice, 'path' | 'image'>,
  signal: AbortSignal,
): Promise<void> {
  const device = await openUnlessFreed(path);
  if (device === undefined) return;
  try {
    const current = await readLoopDevice(basename(path));
    if (current?.image.replace(DELETED, '') !== image.replace(DELETED, '')) return;
    await runTool(['losetup', '--detach', path], { signal, timeoutMs: TIMEOUT_MS });
  } finally {
    await device.close();
  }
}

async function openUnlessFreed(path: string): Promise<FileHandle | undefined> {
  return await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENXIO') return undefined;
    throw error;
  });
}
