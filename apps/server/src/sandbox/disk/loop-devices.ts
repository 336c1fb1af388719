import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type LoopDevice = {
  /** `/dev/loop3` */
  path: string;
  image: string;
  isImageDeleted: boolean;
  /** The kernel frees the device itself after its last use. */
  isAutomatic: boolean;
};

const DEVICES = '/sys/block';
const DELETED = ' (deleted)';

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
    const image = await attribute('backing_file');
    const isImageDeleted = image.endsWith(DELETED);
    return {
      path: join('/dev', name),
      image: isImageDeleted ? image.slice(0, -DELETED.length) : image,
      isImageDeleted,
      isAutomatic: (await attribute('autoclear')) === '1',
    };
  } catch {
    // Has no image, or lost it meanwhile.
    return undefined;
  }
}
