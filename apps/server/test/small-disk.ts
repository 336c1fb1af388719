import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createImage, removeImage } from '../src/sandbox/disk/disk-image.ts';

/** A mounted tmpfs of a few megabytes. */
export type SmallDisk = {
  /** Fills the free space, except `leaveBytes`. */
  fill(leaveBytes?: number): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
};

/** Only root may mount, so tests that need a small disk are skipped for other users. */
export const canMount = process.getuid?.() === 0;

export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder);
  const filler = join(folder, 'filler');
  return {
    async fill(leaveBytes = 0) {
      const { bavail, bsize } = await statfs(folder);
      const content = Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes));
      await writeFile(filler, content).catch((error: NodeJS.ErrnoException) => {
        // Another process used the remaining space first.
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    makeRoom: () => rm(filler, { force: true }),
    unmount: () => run('umount', '--lazy', '--', folder),
  };
}

/** Mounts a new ext4 file system, which programs can use without restrictions. Returns a function that removes it. */
export async function mountSmallImage(
  folder: string,
  megabytes: number,
): Promise<() => Promise<void>> {
  const image = `${folder}.img`;
  await mkdir(folder, { recursive: true });
  await createImage({ image, sizeBytes: megabytes * 1024 ** 2 }, new AbortController().signal);
  await run('mount', '-t', 'ext4', '-o', 'loop,discard', '--', image, folder);
  return async () => {
    await run('umount', '--lazy', '--', folder).catch(() => {});
    await removeImage(image);
  };
}

async function run(...argv: [string, ...string[]]): Promise<void> {
  const [program, ...args] = argv;
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} exited with code ${code}`);
}
