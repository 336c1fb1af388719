import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './build-plan.ts';

const MAX_MANIFEST_BYTES = 1_048_576;
/** Folders whose files matter to detection; deeper ones do not. */
const FOLDERS = ['.', 'public', 'dist', 'build', 'out'];

/** Looks at a checkout without trusting it: what is a link, a pipe or huge counts as not there. */
export async function readCheckout(folder: string): Promise<Checkout> {
  const listed = await Promise.all(FOLDERS.map((name) => plainFiles(folder, name)));
  const files = listed.flat();
  const textOf = async (name: string) =>
    files.includes(name) ? await plainText(join(folder, name)) : undefined;
  return {
    files,
    packageJson: await textOf('package.json'),
    dockerfile: await textOf('Dockerfile'),
  };
}

async function plainFiles(folder: string, name: string): Promise<string[]> {
  const path = join(folder, name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => (name === '.' ? entry.name : `${name}/${entry.name}`));
}

async function plainText(path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_MANIFEST_BYTES) return undefined;
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
