import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createImage } from './disk-image.ts';
import { mountImage, unmountFolder } from './mounted-disk.ts';
import { ToolFailed } from './run-tool.ts';

/** Has room for the journal. */
const PROBE_BYTES = 64 * 1024 ** 2;

/** Tries it with a small image in the folder. Returns a sentence with the reason when this machine cannot make disks. */
export async function probeDisks(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const probe = await mkdtemp(join(folder, 'disk-probe-'));
  const image = join(probe, 'disk.img');
  const mountPoint = join(probe, 'mount');
  try {
    await createImage({ image, sizeBytes: PROBE_BYTES }, signal);
    await mountImage(image, mountPoint, signal);
    await unmountFolder(mountPoint);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return `Disk images do not work here: ${reasonOf(error)}`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof ToolFailed) return cause.message;
  return String(error);
}
