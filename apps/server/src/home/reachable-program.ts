import { access, chmod, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyTree } from './copy-tree.ts';
import { pathModes } from './path-modes.ts';
import type { Program } from './program.ts';
import { ancestorsOf, closedFolder, isOpenFile } from './reachable.ts';

type ProgramDeps = {
  home: string;
  /** Finishes a copy before it is used, such as by adding what the original lacks. */
  finish?: (copy: string) => Promise<void>;
};

/** A path at which every user can run the program: its own, or that of a copy below the home. */
export async function reachableProgram(program: Program, deps: ProgramDeps): Promise<string> {
  const real = { ...program, path: await realpath(program.path) };
  return (await isOpenToOthers(real)) ? real.path : await programCopy(real, deps);
}

/** Made once for each version; a copy that was cut off never bears the final name. */
export async function programCopy(
  program: Program,
  { home, finish }: ProgramDeps,
): Promise<string> {
  const copy = join(home, 'programs', `${program.name}-${program.version}`);
  if (await exists(copy)) return copy;
  await mkdir(dirname(copy), { recursive: true });
  await chmod(dirname(copy), 0o755);
  const workshop = await mkdtemp(join(dirname(copy), '.new-'));
  try {
    const unfinished = join(workshop, 'copy');
    await copyTree(program.path, unfinished);
    await finish?.(unfinished);
    await rename(unfinished, copy);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return copy;
}

async function isOpenToOthers({ path, samples }: Program): Promise<boolean> {
  const files = samples.length === 0 ? [path] : samples.map((sample) => join(path, sample));
  const folders = new Set(files.flatMap(ancestorsOf));
  const [folderModes, fileModes] = [await pathModes([...folders]), await pathModes(files)];
  return closedFolder(folderModes) === undefined && fileModes.every(isOpenFile);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
