import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { programsOf } from './app-processes.ts';
import { waitFor } from './wait-for.ts';

/** Some sample apps wait until the file in their variable PUBLIC_TIDE exists. This one always does. */
export const TIDE_IN = '/tmp';

/** The path of a file that does not exist yet. Each build and each instance has its own /tmp. */
export function newTide(): string {
  return `/tmp/tide-${randomUUID()}`;
}

/** Waits until a build or an instance of the app waits for the file, and creates it where that one finds it. */
export async function letTideIn(
  appId: string,
  path: string,
  role: 'build' | 'instance' = 'build',
): Promise<void> {
  await waitFor(async () => {
    // Programs that are not isolated share the file.
    if (existsSync(path)) return true;
    const waiting = await programsOf(appId, { PUBLIC_TIDE: path, LONGSHORE_ROLE: role });
    const created = waiting.map((pid) => writeFile(`/proc/${pid}/root${path}`, ''));
    return (await Promise.allSettled(created)).some(({ status }) => status === 'fulfilled');
  });
}
