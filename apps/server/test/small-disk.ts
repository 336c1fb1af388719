import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A small disk in memory. */
export type SmallDisk = {
  /** Fills the remaining space. */
  fill(leaveBytes?: number): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
};

/** Only root may mount. Where tests must not be skipped, they fail instead. */
export const canMount = process.getuid?.() === 0;

export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await ran('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder);
  const filler = join(folder, 'filler');
  return {
    async fill(leaveBytes = 0) {
      const { bavail, bsize } = await statfs(folder);
      const rest = Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes));
      await writeFile(filler, rest).catch((error: NodeJS.ErrnoException) => {
        // Somebody else took the last of it.
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    makeRoom: () => rm(filler, { force: true }),
    unmount: () => ran('umount', '--lazy', '--', folder),
  };
}

async function ran(...argv: [string, ...string[]]): Promise<void> {
  const [program, ...args] = argv;
  const [code] = await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
}
