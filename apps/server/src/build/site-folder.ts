import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Names of folders that builds write sites to. */
const OUTPUT_NAMES = new Set(['dist', 'build', 'out', '_site', 'www', 'browser']);
const SKIPPED = /^(?:node_modules|src|test|tests|\..*)$/;
const MAX_DEPTH = 3;
const MAX_ENTRIES = 5_000;
const SHOWN_FOLDERS = 5;
const INDEX = 'index.html';
const MISSING = 'The build wrote no index.html to';
/** Of the program that looks for the pages in an image. */
export const MISSING_SITE_EXIT_CODE = 66;

/**
 * The folder of a built site: the first of these with an index.html, or the only one elsewhere that looks like the output of a
 * build. The files are of the user: links that lead outside count as missing.
 */
export async function findSiteFolder(root: string, folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    if (await hasIndex(root, folder)) return folder;
  }
  const found = await findPages(root, (name) => OUTPUT_NAMES.has(name));
  return found.length === 1 ? found[0] : undefined;
}

/** What to say when there is none: which folder to enter, if there are pages in other ones. */
export async function missingSite(root: string, folders: string[]): Promise<string[]> {
  const found = await findPages(root, () => true);
  const shown = found.sort().slice(0, SHOWN_FOLDERS);
  return [
    `${MISSING} ${folders.join(', ')}`,
    shown.length === 0
      ? 'If it writes its pages to another folder, enter the output directory; if the app has a server, enter the start command'
      : `If these are the built pages, enter the output directory ${shown.join(' or ')}; if the app has a server, enter the start command`,
  ];
}

/** These sentences, at the end of what the program in an image and earlier ones printed. */
export function missingSiteLines(output: string[]): string[] {
  const first = output.findLastIndex((line) => line.startsWith(MISSING));
  return first === -1 ? output : output.slice(first);
}

/** The folders with an index page, outside of each other, whose names are accepted. */
function findPages(root: string, accepts: (name: string) => boolean): Promise<string[]> {
  return searchPages({ root, accepts, left: MAX_ENTRIES }, '.', 0);
}

type Search = { root: string; accepts(name: string): boolean; left: number };

async function searchPages(search: Search, folder: string, depth: number): Promise<string[]> {
  const { root, accepts } = search;
  const found: string[] = [];
  const stats = await lstat(join(root, folder)).catch(() => undefined);
  if (!stats?.isDirectory()) return found;
  for await (const entry of await opendir(join(root, folder))) {
    search.left -= 1;
    if (search.left < 0) return found;
    if (!entry.isDirectory() || SKIPPED.test(entry.name)) continue;
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (accepts(entry.name) && (await hasIndex(root, path))) found.push(path);
    else if (depth < MAX_DEPTH) found.push(...(await searchPages(search, path, depth + 1)));
  }
  return found;
}

async function hasIndex(root: string, folder: string): Promise<boolean> {
  const base = await realpath(root);
  const index = await realpath(join(base, folder, INDEX)).catch(() => undefined);
  if (!index?.startsWith(`${base}${sep}`)) return false;
  return (await lstat(index).catch(() => undefined))?.isFile() === true;
}
