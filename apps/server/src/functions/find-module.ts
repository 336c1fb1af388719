import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { functionFiles } from './function-path.ts';

/** The module that answers a path. A link that leads out of the folder is none. */
export async function findModule(folder: string, path: string): Promise<string | undefined> {
  const root = await realpath(folder).catch(absent);
  if (root === undefined) return undefined;
  for (const file of functionFiles(path)) {
    const found = await realpath(join(root, file)).catch(absent);
    if (found?.startsWith(root + sep)) return found;
  }
  return undefined;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
