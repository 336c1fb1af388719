import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { acquireMachineLock } from './machine-lock.ts';

const DRAFT = 'draft';
const UNUSED_MS = 7 * 24 * 3_600_000;

/** What takes long to make and is made once per user of a machine: `key` names everything that its content depends on. */
export type CachedFolder = { name: string; key: string; fill(folder: string): Promise<void> };

export function cachedFolderPath({ name, key }: Pick<CachedFolder, 'name' | 'key'>): string {
  return join(folderOf(name), key);
}

/** Fills the folder if it is missing. Processes that need it at the same time wait for the first one. */
export async function openCachedFolder({ name, key, fill }: CachedFolder): Promise<string> {
  const path = cachedFolderPath({ name, key });
  const release = existsSync(path) ? undefined : await acquireMachineLock(name);
  try {
    if (!existsSync(path)) {
      await removeUnused(folderOf(name));
      const draft = join(folderOf(name), DRAFT);
      await mkdir(draft, { recursive: true });
      await fill(draft);
      await rename(draft, path);
    }
  } finally {
    await release?.();
  }
  await utimes(path, new Date(), new Date());
  return path;
}

function folderOf(name: string): string {
  // biome-ignore lint/style/noProcessEnv: the user's choice of a folder for caches.
  const { XDG_CACHE_HOME } = process.env;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'longshore', name);
}

/** Removes the draft of a killed process, and folders of earlier versions. */
async function removeUnused(folder: string): Promise<void> {
  for (const key of await readdir(folder).catch(() => [])) {
    const path = join(folder, key);
    const isUnused = Date.now() - (await stat(path)).mtimeMs > UNUSED_MS;
    if (key === DRAFT || isUnused) await rm(path, { recursive: true, force: true });
  }
}
