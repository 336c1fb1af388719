import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from './json-file.ts';

/** Grows with each instance of an app, so that no two instances share a log. `folder`: of the app. */
export async function nextInstanceNumber(folder: string, taken: number[]): Promise<number> {
  const path = join(folder, 'last-instance');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const last = Number(await readFile(path, 'utf8').catch(() => '0'));
  const next = Math.max(Number.isSafeInteger(last) ? last : 0, ...taken) + 1;
  await writeJson(path, next);
  return next;
}
