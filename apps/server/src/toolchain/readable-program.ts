import {
  access,
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ancestorsOf,
  findClosedFolder,
  isReadableByOthers,
  readPathModes,
} from '../data-dir/path-permissions.ts';

/** A program, or a folder of programs, that users other than the server's have to run. */
export type Program = {
  /** Name and version make up the name of the copy. */
  name: string;
  version: string;
  /** A file or a folder. */
  path: string;
  /** Files in the folder whose permissions stand for all others, relative to `path`. Empty when `path` is a file. */
  samples: readonly string[];
};

type ProgramDeps = {
  dataDir: string;
  /** Completes a copy before it is used, for example by adding files that the original lacks. */
  finish?: (copy: string) => Promise<void>;
};

/** A path at which every user can run the program: the original, or a copy in the data directory. */
export async function ensureReadableProgram(program: Program, deps: ProgramDeps): Promise<string> {
  const real = { ...program, path: await realpath(program.path) };
  return (await isReadable(real)) ? real.path : await ensureProgramCopy(real, deps);
}

/** One copy for each version. An interrupted copy never gets the final name. */
export async function ensureProgramCopy(
  program: Program,
  { dataDir, finish }: ProgramDeps,
): Promise<string> {
  const copy = join(dataDir, 'programs', `${program.name}-${program.version}`);
  if (await exists(copy)) return copy;
  await mkdir(dirname(copy), { recursive: true });
  await chmod(dirname(copy), 0o755);
  const temporary = await mkdtemp(join(dirname(copy), '.new-'));
  try {
    const unfinished = join(temporary, 'copy');
    await copyTree(program.path, unfinished);
    await finish?.(unfinished);
    await rename(unfinished, copy);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return copy;
}

async function isReadable({ path, samples }: Program): Promise<boolean> {
  const files = samples.length === 0 ? [path] : samples.map((sample) => join(path, sample));
  const folders = new Set(files.flatMap(ancestorsOf));
  const [folderModes, fileModes] = [await readPathModes([...folders]), await readPathModes(files)];
  return findClosedFolder(folderModes) === undefined && fileModes.every(isReadableByOthers);
}

/** Copies a file or folder so that every user can read it. Hard links save the space where they are possible. */
export async function copyTree(from: string, to: string): Promise<void> {
  const entry = await lstat(from);
  if (entry.isSymbolicLink()) return await symlink(await readlink(from), to);
  if (!entry.isDirectory()) return await copyOneFile(from, to, entry.mode);
  await mkdir(to);
  await chmod(to, 0o755);
  for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
}

async function copyOneFile(from: string, to: string, mode: number): Promise<void> {
  // A hard link shares the permissions of the original, which must not be changed.
  if (isReadableByOthers({ path: from, mode }) && (await tryLink(from, to))) return;
  await copyFile(from, to);
  await chmod(to, (mode & 0o100) === 0 ? 0o644 : 0o755);
}

/** Fails across file systems, and for users who do not own the file. */
async function tryLink(from: string, to: string): Promise<boolean> {
  return await link(from, to).then(
    () => true,
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
