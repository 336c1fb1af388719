import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A file that holds a key: made on the first start, the same ever after. Only its owner can read it. It is
 * linked into place whole, so a start that is cut off never leaves half a key.
 */
export async function keyFile(
  folder: string,
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const path = join(folder, name);
  const existing = await readKeyFile(folder, name);
  if (existing !== undefined) return existing;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = await writeBeside(path, await make());
  await link(unfinished, path).catch(ignoreExisting);
  await rm(unfinished);
  return await readFile(path, 'utf8');
}

/** Puts another text in the place of a key file, whole or not at all, and safe from a power cut when it returns. */
export async function replaceKeyFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await rename(await writeBeside(path, text), path);
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

async function writeBeside(path: string, text: string): Promise<string> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  return unfinished;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
