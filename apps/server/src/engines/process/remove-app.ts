import { rm } from 'node:fs/promises';
import { removeTree } from '../../processes/remove-tree.ts';
import { killGroupsOfApp } from './app-control-groups.ts';
import { openFiles, removeRelease } from './app-files.ts';
import type { EngineDeps } from './deps.ts';
import { removeInstanceRecord } from './instance-record.ts';
import { type AppLayout, appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { removePlainFiles } from './plain-files.ts';
import {
  folderNumber,
  listReleases,
  type ReleaseRecord,
  readBuiltReleases,
} from './release-record.ts';
import { stopInstance } from './stop-instance.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

export type Removal = {
  deps: EngineDeps;
  app: Map<string, SupervisedInstance>;
  signal: AbortSignal;
};

/** Removes all releases except those to keep and running ones, and the records of their exited instances. */
export async function pruneApp(appId: string, keep: number[], removal: Removal): Promise<void> {
  const { deps, app, signal } = removal;
  const layout = appLayout(deps.dataDir, appId);
  const running = [...app.values()]
    .map((live) => live.record())
    .filter(({ exit }) => exit === undefined)
    .map(({ release }) => release);
  const isStale = (number: number) => !keep.includes(number) && !running.includes(number);
  const known = (await listReleases(layout, [layout.releases])).filter(isStale);
  if (known.length === 0) return;
  const shared = sharedFolders(await readBuiltReleases(layout, deps), known);
  const files = await openFiles(appId, deps, signal);
  try {
    for (const number of (await listReleases(layout, [files.releases])).filter(isStale)) {
      await removeInstancesOf(number, app, layout);
      await rm(layout.releaseRecord(number), { force: true });
      if (!shared.has(number)) await removeRelease(files, number, deps, signal);
    }
  } finally {
    await files.close();
  }
}

async function removeInstancesOf(
  number: number,
  app: Removal['app'],
  layout: AppLayout,
): Promise<void> {
  for (const [id, live] of app) {
    if (live.record().release !== number) continue;
    await removeInstanceRecord(layout, id);
    app.delete(id);
  }
}

/** Numbers of the releases whose folders are used by releases that stay. */
function sharedFolders(built: ReleaseRecord[], stale: number[]): Set<number> {
  return new Set(built.filter(({ number }) => !stale.includes(number)).map(folderNumber));
}

/** Removes everything of an app. The records are removed last, so that an interrupted removal is repeated. */
export async function removeApp(appId: string, removal: Removal): Promise<void> {
  const { deps, app, signal } = removal;
  const layout = appLayout(deps.dataDir, appId);
  await Promise.all(
    [...app.values()].map((live) =>
      stopInstance({ appId, live, isAlone: async () => false }, deps, signal),
    ),
  );
  app.clear();
  const identity = deps.identities.find(appId);
  await killLeftovers({ identity, marks: { LONGSHORE_APP_ID: appId }, isAlone: true });
  await killGroupsOfApp(deps.groups, appId);
  await deps.isolated?.names.remove(appId);
  await deps.isolated?.disks.remove(appId, signal);
  await removePlainFiles(layout, signal);
  // A disk that a server without isolation finds.
  await rm(layout.disk, { force: true });
  await removeTree(layout.app, signal);
  await rm(layout.records, { recursive: true, force: true });
}
