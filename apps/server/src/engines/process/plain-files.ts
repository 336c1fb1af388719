import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Identity } from '../../processes/identity.ts';
import { removeTree, removeUnusedTree } from '../../processes/remove-tree.ts';
import { type CopyOptions, copyFolders } from '../../sandbox/disk/copy-folders.ts';
import type { EngineDeps } from './deps.ts';
import type { Launch } from './launch.ts';
import { type AppLayout, appLayout } from './layout.ts';
import { readPlainFilesState, writePlainFilesState } from './plain-files-state.ts';
import { folderNumber, listReleases, readPlainReleases } from './release-record.ts';

/** Makes the disk of an app from its folders, which its running instance still uses. Does nothing when it has a disk. */
export async function copyPlainFiles(
  appId: string,
  { dataDir, identities, isolated }: EngineDeps,
  signal: AbortSignal,
): Promise<void> {
  const layout = appLayout(dataDir, appId);
  const folders = [layout.home, layout.releases].filter((folder) => existsSync(folder));
  if (existsSync(layout.disk) || folders.length === 0) return;
  await writePlainFilesState(layout, 'copied');
  const owner = await newOwner(layout, identities.find(appId));
  await isolated?.disks.importFolders(appId, folders, { owner, signal });
}

/** The user of the app, if it has got one since its files were made: the server was not root. */
async function newOwner(
  { home }: AppLayout,
  identity: Identity | undefined,
): Promise<Identity | undefined> {
  const found = await stat(home).catch(() => undefined);
  return found?.uid === identity?.uid ? undefined : identity;
}

/** Copies again what the app may have changed since the disk was made: the start of an isolated instance failed before. */
export async function refreshCopies(
  { spec, release, identity, deps, signal }: Launch,
  onDisk: { home: string; release(number: number): string },
): Promise<void> {
  const layout = appLayout(deps.dataDir, spec.appId);
  const options = { signal, owner: await newOwner(layout, identity) };
  await replaceByCopy(layout.home, onDisk.home, options);
  const number = folderNumber(release);
  const isCopied = release.root === undefined;
  if (isCopied) await replaceByCopy(layout.release(number), onDisk.release(number), options);
}

async function replaceByCopy(from: string, to: string, options: CopyOptions): Promise<void> {
  if (!existsSync(from)) return;
  const { signal } = options;
  const draft = join(dirname(to), 'copy');
  await removeUnusedTree(draft, signal);
  await mkdir(draft, { mode: 0o700 });
  await copyFolders([from], draft, options);
  await removeUnusedTree(to, signal);
  await rename(join(draft, basename(from)), to);
  await removeUnusedTree(draft, signal);
}

/** An isolated instance has answered, and no other one runs: from now on the disk counts. */
export async function retirePlainFiles(layout: AppLayout, signal: AbortSignal): Promise<void> {
  const state = await readPlainFilesState(layout);
  if (state === undefined) return await removePlainReleases(layout, signal);
  await writePlainFilesState(layout, 'retired');
  await removePlainFiles(layout, signal);
  await writePlainFilesState(layout, undefined);
}

/** The disk does not have these releases. The home stays: the disk has another one, with older files. */
async function removePlainReleases(layout: AppLayout, signal: AbortSignal): Promise<void> {
  for (const { number } of await readPlainReleases(layout)) {
    await rm(layout.releaseRecord(number), { force: true });
  }
  const { cache, temporary, releases } = layout;
  await removeFolders(layout, [cache, temporary, releases], signal);
}

/** Before an app is started or built without isolation. The folders count again, unless the disk already did. */
export async function returnToPlainFiles(layout: AppLayout, signal: AbortSignal): Promise<void> {
  const state = await readPlainFilesState(layout);
  if (state === undefined) return;
  await (state === 'copied' ? rm(layout.disk, { force: true }) : removePlainFiles(layout, signal));
  await writePlainFilesState(layout, undefined);
}

/** Removes the folders of an app that is not isolated. */
export async function removePlainFiles(layout: AppLayout, signal: AbortSignal): Promise<void> {
  const { home, cache, temporary, releases } = layout;
  await removeFolders(layout, [home, cache, temporary, releases], signal);
}

async function removeFolders(
  layout: AppLayout,
  folders: string[],
  signal: AbortSignal,
): Promise<void> {
  for (const number of await listReleases(layout, [layout.releases])) {
    await removeTree(layout.release(number), signal);
  }
  for (const folder of folders) await removeTree(folder, signal);
}
