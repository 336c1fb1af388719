import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Finds the device by the file, not its path: the image may be mounted by another path of the machine. */
export async function isInUse(image: string, signal: AbortSignal): Promise<boolean> {
  const argv = ['losetup', '--associated', image] as const;
  return (await runTool(argv, { signal, timeoutMs: TIMEOUT_MS })).length > 0;
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

/** Lets the kernel free the device after its last use, or at once when nobody uses it. */
export async function releaseLoopDevice(device: LoopDevice, signal: AbortSignal): Promise<void> {
  await runTool(['losetup', '--detach', device.path], { signal, timeoutMs: TIMEOUT_MS });
}
