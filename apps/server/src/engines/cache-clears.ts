import { z } from 'zod';
import type { WriteLine } from './build-log.ts';
import type { ReleaseSpec } from './engine.ts';
import { readJson, writeJson } from './json-file.ts';

/** Whether the owner has cleared the build cache since the last build. True once: the file records it. */
export async function isCacheCleared(
  file: string,
  { cacheClears = 0 }: Pick<ReleaseSpec, 'cacheClears'>,
  writeLine: WriteLine,
): Promise<boolean> {
  if (((await readJson(file, z.number())) ?? 0) === cacheClears) return false;
  await writeJson(file, cacheClears);
  writeLine('The build cache was cleared: this build starts without it');
  return true;
}
