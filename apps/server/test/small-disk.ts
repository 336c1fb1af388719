import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

async function run(...argv: [string, ...string[]]): Promise<void> {
  const [program, ...args] = argv;
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} exited with code ${code}`);
}
