import { stat } from 'node:fs/promises';
import type { PathMode } from './reachable.ts';

export async function pathModes(paths: readonly string[]): Promise<PathMode[]> {
  return await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o7777 })),
  );
}
