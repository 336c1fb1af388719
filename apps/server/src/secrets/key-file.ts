import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads a key file, and creates it on the first start. Only its owner can read it. The complete file is linked into
 * place, so a crash never leaves a partial key.
 */
export async function loadOrCreateKeyFile(
  folder: string,
  name: string,
  create: () => Promise<string>,
): Promise<string> {
  const path = join(folder, name);
  const existing = await readKeyFile(folder, name);
  if (existing !== undefined) return existing;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = await writeTemporary(path, await create());
  await link(temporary, path).catch(ignoreExisting);
  await rm(temporary);
  return await readFile(path, 'utf8');
}

/** Replaces a key file atomically. When it resolves, the new content is on disk. */
export async function replaceKeyFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await rename(await writeTemporary(path, text), path);
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

export async function readKeyFile(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeTemporary(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  return temporary;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
