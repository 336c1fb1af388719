import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file or folder with its permission bits. */
export type PathMode = { path: string; mode: number };

const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_READ = 0o004;

export async function readPathModes(paths: readonly string[]): Promise<PathMode[]> {
  return await Promise.all(
    paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o7777 })),
  );
}

/** The folders above a path, nearest first. */
export function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

/** The first folder that other users cannot pass; undefined when they can pass all of them. */
export function findClosedFolder(folders: readonly PathMode[]): string | undefined {
  return folders.find(({ mode }) => (mode & OTHERS_MAY_ENTER) === 0)?.path;
}

/** Whether other users may read a file and, if its owner can execute it, execute it too. */
export function isReadableByOthers({ mode }: PathMode): boolean {
  const isProgram = (mode & 0o100) !== 0;
  const needed = OTHERS_MAY_READ | (isProgram ? OTHERS_MAY_ENTER : 0);
  return (mode & needed) === needed;
}
