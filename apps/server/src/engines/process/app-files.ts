import { chmodSync, chownSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity } from '../../processes/identity.ts';
import { removeTree, removeUnusedTree } from '../../processes/remove-tree.ts';
import type { EngineDeps } from './deps.ts';
import { readInstanceRecords } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { copyPlainFiles, returnToPlainFiles } from './plain-files.ts';

/** The files of an app, where the server finds them until they are closed. */
export type AppFiles = {
  home: string;
  /** What makes the next build faster. */
  cache: string;
  releases: string;
  release(number: number): string;
  /** A folder for the temporary files of an instance or a build. */
  temporary(name: string): string;
  /** Resolves when everything that was written survives an error of the app's own disk. */
  flush(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** Creates the records folder of an app; returns the user it runs as. */
export async function prepareApp(
  appId: string,
  { dataDir, identities }: EngineDeps,
): Promise<Identity | undefined> {
  const identity = identities.assign(appId);
  await mkdir(appLayout(dataDir, appId).records, { recursive: true, mode: 0o700 });
  return identity;
}

/** Opens the files of an app: on its own disk where apps are isolated, otherwise in its folder. */
export async function openFiles(
  appId: string,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<AppFiles> {
  const identity = deps.identities.find(appId);
  const layout = appLayout(deps.dataDir, appId);
  const { isolated } = deps;
  if (isolated === undefined) {
    const { app, temporary } = layout;
    await returnToPlainFiles(layout, signal);
    const nothing = async () => {};
    const files = filesIn(app, { temporary: () => temporary, flush: nothing, close: nothing });
    createFolders([temporary], files, identity);
    return files;
  }
  await copyPlainFiles(appId, deps, signal);
  const disk = await isolated.disks.open(appId, signal);
  const temporaries = join(disk.folder, 'tmp');
  const files = filesIn(disk.folder, {
    temporary: (name) => join(temporaries, name),
    flush: disk.flush,
    close: disk.close,
  });
  try {
    createFolders([], files, identity);
    mkdirSync(temporaries, { recursive: true, mode: 0o711 });
    return files;
  } catch (error) {
    await disk.close();
    throw error;
  }
}

function filesIn(
  folder: string,
  others: Pick<AppFiles, 'temporary' | 'flush' | 'close'>,
): AppFiles {
  const releases = join(folder, 'releases');
  return {
    home: join(folder, 'home'),
    cache: join(folder, 'cache'),
    releases,
    release: (number) => join(releases, String(number)),
    ...others,
  };
}

/** Synchronous, as the other small steps of a start: while other programs start, each wait for a file takes milliseconds. */
function createFolders(
  more: string[],
  { home, cache, releases }: AppFiles,
  identity: Identity | undefined,
): void {
  mkdirSync(releases, { recursive: true, mode: 0o700 });
  if (identity !== undefined) {
    chownSync(releases, process.geteuid?.() ?? 0, identity.gid);
    chmodSync(releases, 0o750);
  }
  for (const folder of [home, cache, ...more]) createOwnedFolder(folder, identity);
}

/** An empty folder for temporary files on the disk of an isolated app. */
export function createTemporary(
  files: AppFiles,
  name: string,
  identity: Identity | undefined,
): string {
  const folder = files.temporary(name);
  createOwnedFolder(folder, identity);
  return folder;
}

/** Removes the temporary files of instances that have exited. */
export async function removeOldTemporaries(
  appId: string,
  files: AppFiles,
  { deps, signal }: { deps: EngineDeps; signal: AbortSignal },
): Promise<void> {
  if (deps.isolated === undefined) return;
  const records = await readInstanceRecords(appLayout(deps.dataDir, appId));
  const running = records.filter(({ exit }) => exit === undefined).map(({ id }) => id);
  const names = readdirSync(files.temporary('.'));
  const isInstance = (name: string) => /^\d+$/.test(name);
  for (const name of names.filter((it) => isInstance(it) && !running.includes(it))) {
    await removeTemporary(files, name, signal);
  }
}

export async function removeTemporary(
  files: AppFiles,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const folder = files.temporary(name);
  // Most are empty.
  if (!isRemovedEmpty(folder)) await removeUnusedTree(folder, signal);
}

function isRemovedEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Removes the folder of a release. */
export async function removeRelease(
  files: AppFiles,
  number: number,
  { isolated }: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const folder = files.release(number);
  await (isolated === undefined ? removeTree(folder, signal) : removeUnusedTree(folder, signal));
}

/** Leaves an empty build cache. */
export async function clearCache(
  files: AppFiles,
  identity: Identity | undefined,
  { isolated, signal }: Pick<EngineDeps, 'isolated'> & { signal: AbortSignal },
): Promise<void> {
  await (isolated === undefined ? removeTree : removeUnusedTree)(files.cache, signal);
  createOwnedFolder(files.cache, identity);
}

/** Creates a folder that only the app can access. Its parent must belong to the server. */
function createOwnedFolder(folder: string, identity: Identity | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
}
