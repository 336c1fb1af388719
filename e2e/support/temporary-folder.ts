import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesIn } from './end-processes-in.ts';

export type TemporaryFolder = { path: string; remove(): Promise<void> };

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'longshore-e2e-'));
  // Passable for the users of apps, so that a Longshore started as root keeps everything in here.
  await chmod(path, 0o711);
  return {
    path,
    async remove() {
      // Apps outlive their server, and would outlive the journey.
      await endProcessesIn(path);
      await rm(path, { recursive: true, force: true });
    },
  };
}
