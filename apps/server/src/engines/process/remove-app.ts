import { rm } from 'node:fs/promises';
import { killGroupsOfApp } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { removeInstanceRecord } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { killLeftovers } from './leftovers.ts';
import { listReleases, type ReleaseRecord, readBuiltReleases } from './release-record.ts';
import { removeTree } from './remove-tree.ts';
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
  const present = await listReleases(layout);
  const stale = present.filter((number) => !keep.includes(number) && !running.includes(number));
  const shared = sharedFolders(await readBuiltReleases(layout), stale);
  for (const number of stale) {
    for (const [id, live] of app) {
      if (live.record().release !== number) continue;
      await removeInstanceRecord(layout, id);
      app.delete(id);
    }
    await rm(layout.releaseRecord(number), { force: true });
    if (!shared.has(number)) await removeTree(layout.release(number), signal);
  }
}

/** Numbers of the releases whose folders are used by releases that stay. */
function sharedFolders(built: ReleaseRecord[], stale: number[]): Set<number | undefined> {
  return new Set(
    built.filter(({ number }) => !stale.includes(number)).map(({ builtAs }) => builtAs),
  );
}

/** Removes everything of an app. The records are removed last, so that an interrupted removal is repeated. */
export async function removeApp(appId: string, removal: Removal): Promise<void> {
  const { deps, app, signal } = removal;
  const layout = appLayout(deps.dataDir, appId);
  await Promise.all(
    [...app.values()].map((live) => stopInstance({ appId, live, isAlone: false }, deps, signal)),
  );
  app.clear();
  const identity = deps.identities.find(appId);
  await killLeftovers({ identity, marks: { LONGSHORE_APP_ID: appId }, isAlone: true });
  await killGroupsOfApp(deps.groups, appId);
  for (const number of await listReleases(layout)) {
    await removeTree(layout.release(number), signal);
  }
  for (const folder of [layout.home, layout.temporary, layout.releases, layout.app]) {
    await removeTree(folder, signal);
  }
  await rm(layout.records, { recursive: true, force: true });
}
