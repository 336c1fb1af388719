import { dirname } from 'node:path';

/** A folder or file on the way to a path, with its permission bits. */
export type PathMode = { path: string; mode: number };

const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_READ = 0o004;

/** The folders above a path, nearest first. */
export function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

/** The first folder that keeps other users out. Undefined: all of them can be passed. */
export function closedFolder(folders: readonly PathMode[]): string | undefined {
  return folders.find(({ mode }) => (mode & OTHERS_MAY_ENTER) === 0)?.path;
}

/** Whether other users may read a file; one that can be run must be runnable for them too. */
export function isOpenFile({ mode }: PathMode): boolean {
  const isProgram = (mode & 0o100) !== 0;
  const needed = OTHERS_MAY_READ | (isProgram ? OTHERS_MAY_ENTER : 0);
  return (mode & needed) === needed;
}
