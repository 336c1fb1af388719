import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  const existing = await readIfThere(path);
  if (existing !== undefined) return existing;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(unfinished, await make(), { mode: 0o600, flush: true });
  await link(unfinished, path).catch(ignoreExisting);
  await rm(unfinished);
  return await readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
