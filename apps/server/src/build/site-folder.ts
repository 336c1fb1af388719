import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Names of folders that builds write sites to. */
const OUTPUT_NAMES = new Set(['dist', 'build', 'out', '_site', 'www', 'browser']);
const SKIPPED = /^(?:node_modules|src|test|tests|\..*)$/;
const MAX_DEPTH = 3;
const MAX_ENTRIES = 5_000;
const INDEX = 'index.html';

/**
 * The folder of a built site: the first of these with an index.html, or the only one elsewhere that looks like the output of a
 * build. The files are of the user: links that lead outside count as missing.
 */
export async function findSiteFolder(root: string, folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (await hasIndex(root, folder)) return folder;
  }
  const found = await findOutputs(root, '.', 0, { left: MAX_ENTRIES });
  return found.length === 1 ? found[0] : undefined;
}

/** What to say when there is none. */
export function missingSite(folders: string[]): string[] {
  return [
    `The build wrote no index.html to ${folders.join(', ')}`,
    'If it writes its pages to another folder, enter the output directory; if the app has a server, enter the start command',
  ];
}

type Budget = { left: number };

async function findOutputs(
  root: string,
  folder: string,
  depth: number,
  budget: Budget,
): Promise<string[]> {
  const found: string[] = [];
  const stats = await lstat(join(root, folder)).catch(() => undefined);
  if (!stats?.isDirectory()) return found;
  for await (const entry of await opendir(join(root, folder))) {
    budget.left -= 1;
    if (budget.left < 0) return found;
    if (!entry.isDirectory() || SKIPPED.test(entry.name)) continue;
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (OUTPUT_NAMES.has(entry.name) && (await hasIndex(root, path))) found.push(path);
    else if (depth < MAX_DEPTH) found.push(...(await findOutputs(root, path, depth + 1, budget)));
  }
  return found;
}

async function hasIndex(root: string, folder: string): Promise<boolean> {
  const base = await realpath(root);
  const index = await realpath(join(base, folder, INDEX)).catch(() => undefined);
  if (!index?.startsWith(`${base}${sep}`)) return false;
  return (await lstat(index).catch(() => undefined))?.isFile() === true;
}
