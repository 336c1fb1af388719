import { chmod, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endApps } from '@longshore/server/testing/end-apps';
import { killProcessesIn } from './kill-processes.ts';

export type TemporaryFolder = { path: string; remove(): Promise<void> };

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'longshore-e2e-'));
  // Traversable for the system users of apps, so that a Longshore started as root keeps everything in here.
  await chmod(path, 0o711);
  return {
    path,
    async remove() {
      // Apps keep running without their server.
      await killProcessesIn(path);
      for await (const folder of glob(`${path}/{*,*/*}/{records,docker}`))
        await endApps(dirname(folder));
      await rm(path, { recursive: true, force: true });
    },
  };
}
