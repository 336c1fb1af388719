import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from '../json-file.ts';
import { appFolder } from './app-folder.ts';
import type { DockerParts } from './deps.ts';

/** Grows by one with each instance of an app, so that no two of them share a log, whatever Docker or we forget. */
export async function nextInstance(
  appId: string,
  taken: number[],
  parts: DockerParts,
): Promise<number> {
  const folder = appFolder(appId, parts);
  const path = join(folder, 'last-instance');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const last = Number(await readFile(path, 'utf8').catch(() => '0'));
  const next = Math.max(Number.isSafeInteger(last) ? last : 0, ...taken) + 1;
  await writeJson(path, next);
  return next;
}
