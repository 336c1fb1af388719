import { missingForDocker } from './docker-daemon.ts';
import { openTestImages } from './test-images.ts';

/** Started by `npm test`, and by Vitest before Docker tests. */
export async function setup(): Promise<void> {
  if (missingForDocker.length === 0) await openTestImages();
  else process.stdout.write(`Docker tests are skipped. Missing: ${missingForDocker.join(', ')}\n`);
}

if (import.meta.main) await setup();
