import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A path segment that may name a function: no dots, no leading underscore, not `node_modules`. */
const SEGMENT = /^(?!node_modules$)[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const MAX_SEGMENTS = 10;
const EXTENSIONS = ['ts', 'js', 'mjs'];

/** The module that serves a path. Symbolic links that point out of the folder are ignored. */
export async function findModule(folder: string, path: string): Promise<string | undefined> {
  const root = await realpath(folder).catch(undefinedIfMissing);
  if (root === undefined) return undefined;
  for (const file of candidateFiles(path)) {
    const found = await realpath(join(root, file)).catch(undefinedIfMissing);
    if (found?.startsWith(root + sep)) return found;
  }
  return undefined;
}

/**
 * The files that can serve a path, in order of preference: `/a/b` is `a/b.ts` or `a/b/index.ts`. Files and folders whose
 * names begin with `_` or `.` are never served, so they can contain code that functions share.
 */
export function candidateFiles(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) {
    return [];
  }
  const names = [segments, [...segments, 'index']].filter(({ length }) => length > 0);
  return names.flatMap((name) => EXTENSIONS.map((extension) => `${name.join('/')}.${extension}`));
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
