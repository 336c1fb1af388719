import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createImage } from './disk-image.ts';
import { mountImage, unmountFolder } from './mount-image.ts';

/** Has room for the journal. */
const PROBE_BYTES = 64 * 1024 ** 2;

/** Tries it with a small image in the folder. Returns a sentence with the reason when this machine cannot make disks. */
export async function probeDisks(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const probe = await realpath(await mkdtemp(join(folder, 'disk-probe-')));
    return await tryIn(probe, signal).finally(() => rm(probe, { recursive: true, force: true }));
  } catch (error) {
    signal.throwIfAborted();
    return `Disks of apps do not work here: ${error instanceof Error ? error.message : error}`;
  }
}

async function tryIn(probe: string, signal: AbortSignal): Promise<undefined> {
  const mount = { image: join(probe, 'disk.img'), folder: join(probe, 'mount') };
  await createImage({ image: mount.image, sizeBytes: PROBE_BYTES }, signal);
  await mountImage(mount, signal);
  await unmountFolder(mount.folder);
}
