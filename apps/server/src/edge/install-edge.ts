import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  lchown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartProblem } from '../lifecycle/start-problem.ts';
import type { Identity } from '../processes/identity.ts';
import { loadOrCreateKeyFile } from '../secrets/key-file.ts';

/** What is needed to start the edge, and to talk to it. */
export type InstalledEdge = {
  /** Its own folder, which only its user can read. */
  folder: string;
  /** The folder of its programs, and the Node binary that runs them. Its user can read but not change them. */
  program: string;
  node: string;
  /** Names the version of the programs. */
  build: string;
  secret: string;
};

export type InstallEdgeOptions = {
  dataDir: string;
  keysFolder: string;
  /** The programs as built in the checkout. */
  dist: string;
  nodePath: string;
  /** Undefined: the edge runs as the user of the server. */
  identity: Identity | undefined;
};

export const EDGE_FOLDER = 'edge';
export const SECRET_FILE = 'edge.key';
const SECRET_BYTES = 32;

/**
 * Copies the programs of the edge to the data directory, where its user can read them: the checkout may be closed to it,
 * and changes while the edge runs. The server may run them as root, so they are not in the folder that the user of the edge
 * owns.
 */
export async function installEdge(options: InstallEdgeOptions): Promise<InstalledEdge> {
  const { dataDir, keysFolder, dist, identity } = options;
  const folder = join(dataDir, EDGE_FOLDER);
  const programs = join(dataDir, 'edge-program');
  const build = await readFile(join(dist, 'build'), 'utf8').catch((cause) => {
    throw new StartProblem('The edge is not built. Run "npm run build".', { cause });
  });
  const program = join(programs, build);
  await mkdir(programs, { recursive: true });
  await chmod(programs, identity === undefined ? 0o700 : 0o755);
  const installed = await readdir(programs);
  if (!installed.includes(build)) await copyPrograms(dist, program);
  const node = await installNode(options, join(programs, `node-${process.version}`));
  const secret = await loadOrCreateKeyFile(keysFolder, SECRET_FILE, async () =>
    randomBytes(SECRET_BYTES).toString('hex'),
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (identity !== undefined) await lchown(folder, identity.uid, identity.gid);
  await writeSecret(join(folder, 'secret'), secret, identity);
  return { folder, program, node, build, secret };
}

/** Removes the programs of other versions. Call it when the edge runs this one. */
export async function removeOldPrograms({ program, node }: InstalledEdge): Promise<void> {
  const programs = join(program, '..');
  const kept = [program, node].map((path) => basename(path));
  for (const name of await readdir(programs)) {
    if (!kept.includes(name)) await rm(join(programs, name), { recursive: true });
  }
}

async function copyPrograms(dist: string, program: string): Promise<void> {
  const temporary = `${program}.new`;
  await rm(temporary, { recursive: true, force: true });
  await cp(dist, temporary, { recursive: true });
  await chmod(temporary, 0o755);
  for (const name of await readdir(temporary)) await chmod(join(temporary, name), 0o644);
  await rename(temporary, program);
}

/**
 * A hard link: the file stays when the checkout is upgraded, and its pages are in memory once. Where that is not possible, the
 * same user runs the file in place, and another user gets a copy.
 */
async function installNode(
  { nodePath, identity }: Pick<InstallEdgeOptions, 'nodePath' | 'identity'>,
  path: string,
): Promise<string> {
  try {
    await link(nodePath, path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return path;
    if (identity === undefined) return nodePath;
    await copyFile(nodePath, `${path}.new`, constants.COPYFILE_FICLONE);
    await chmod(`${path}.new`, 0o755);
    await rename(`${path}.new`, path);
    return path;
  }
}

/** The folder belongs to another user: a link in it must not lead root to another file. */
async function writeSecret(path: string, secret: string, identity: Identity | undefined) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o400);
  try {
    await file.writeFile(secret);
    if (identity !== undefined) await file.chown(identity.uid, identity.gid);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
