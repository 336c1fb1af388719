import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createImage } from './disk-image.ts';
import { mountImage, unmountFolder } from './mount-image.ts';

/** Large enough for the journal, and sparse. */
const PROBE_BYTES = 128 * 1024 ** 2;

/**
 * Tries it with an image in the folder, which belongs to this installation. Returns a sentence with the reason when this machine
 * cannot make disks.
 */
export async function probeDisks(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const probe = join(await realpath(folder), 'disk-probe');
    const mount = { image: join(probe, 'disk.img'), folder: join(probe, 'mount') };
    // A killed server may have left an earlier probe mounted.
    await unmountFolder(mount.folder);
    try {
      await mkdir(probe, { recursive: true, mode: 0o700 });
      await createImage({ image: mount.image, sizeBytes: PROBE_BYTES }, signal);
      await mountImage(mount, signal);
      await unmountFolder(mount.folder);
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return `Disks of apps do not work here: ${reason.replace(/\s+/g, ' ')}`;
  }
}
