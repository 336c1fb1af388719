import type { Engine, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { findFreePort } from '../free-port.ts';
import { buildRelease, reuseRelease } from './build-release.ts';
import type { EngineDeps, ProcessEngineDeps } from './deps.ts';
import { removeInstanceRecord, toInstance } from './instance-record.ts';
import { createInstanceRegistry } from './instance-registry.ts';
import { appLayout, appsFolder, recordsFolder } from './layout.ts';
import { prepareEngine } from './prepare-engine.ts';
import { listFolder, readBuiltReleases } from './release-record.ts';
import { pruneApp, removeApp } from './remove-app.ts';
import { startInstance } from './start-instance.ts';
import { stopInstance } from './stop-instance.ts';
import type { SupervisedInstance } from './supervised-instance.ts';
import { waitUntilListening } from './wait-until-listening.ts';

/** Runs apps as processes of this machine. Closing it leaves the apps running, for the next one to adopt. */
export type ProcessEngine = Engine & { close(): Promise<void> };

export async function createProcessEngine(deps: ProcessEngineDeps): Promise<ProcessEngine> {
  const parts = await prepareEngine(deps);
  const instances = createInstanceRegistry(parts);
  const building = new Set<string>();

  /** Whether nothing of the app would run but this instance. */
  async function isAlone(appId: string, id: string): Promise<boolean> {
    const others = [...(await instances.ofApp(appId))].filter(([other]) => other !== id);
    return !building.has(appId) && others.every(([, live]) => !isRunning(live));
  }

  return {
    kind: 'process',

    async listApps() {
      const folders = [appsFolder(parts.dataDir), recordsFolder(parts.dataDir)];
      const names = await Promise.all(folders.map(listFolder));
      return [...new Set(names.flat())].sort();
    },

    async observe(appId) {
      const live = await instances.ofApp(appId);
      const built = await readBuiltReleases(appLayout(parts.dataDir, appId));
      const seen = [...live.values()].map((it) => toInstance(appId, it.record()));
      return { built: built.map(({ number }) => number), instances: seen };
    },

    async build(spec, progress, signal) {
      await requireAllowedOwner(spec, parts);
      await instances.ofApp(spec.appId);
      building.add(spec.appId);
      try {
        return await buildRelease(spec, progress, parts, signal);
      } finally {
        building.delete(spec.appId);
      }
    },

    async reuseBuild(spec, from, signal) {
      signal.throwIfAborted();
      await reuseRelease(spec, from, parts);
    },

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      await requireAllowedOwner(spec, parts);
      const app = await instances.ofApp(spec.appId);
      const port = await findFreePort(await portsInUse(parts, instances.ofApp));
      const { changed } = instances;
      const live = await startInstance(spec, port, parts, { changed, signal });
      await removeExitedRecords(spec.appId, app, parts);
      app.set(live.record().id, live);
      return toInstance(spec.appId, live.record());
    },

    async waitUntilListening(instance, spec, signal) {
      const live = (await instances.ofApp(spec.appId)).get(instance.id);
      if (live === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      await waitUntilListening(spec.appId, live, parts, signal);
    },

    async stopInstance(appId, instance, signal) {
      const app = await instances.ofApp(appId);
      const live = app.get(instance.id);
      if (live === undefined) return;
      const stopping = { appId, live, isAlone: await isAlone(appId, instance.id) };
      await stopInstance(stopping, parts, signal);
      app.delete(instance.id);
    },

    async pruneReleases(appId, keep, signal) {
      await pruneApp(appId, keep, { parts, app: await instances.ofApp(appId), signal });
    },

    async removeApp(appId, signal) {
      await removeApp(appId, { parts, app: await instances.ofApp(appId), signal });
      instances.forget(appId);
    },

    watch: instances.watch,
    async close() {
      await instances.close();
      parts.groups?.close();
    },
  };
}

/** Where all apps share one user, a second account's code could read the first one's secrets. */
async function requireAllowedOwner(spec: ReleaseSpec, parts: EngineDeps): Promise<void> {
  if (parts.hasOwnIdentities || (await parts.mayRun(spec.ownerId))) return;
  throw new EngineFailure('owner-not-allowed', [
    'The server does not run as root, so all apps share one user',
    'Only the first account may deploy here',
  ]);
}

/** Ports of all instances on record: one that was just started may not listen yet. */
async function portsInUse(
  parts: EngineDeps,
  appOf: (appId: string) => Promise<Map<string, SupervisedInstance>>,
): Promise<Set<number>> {
  const appIds = await listFolder(recordsFolder(parts.dataDir));
  const apps = await Promise.all(appIds.map(appOf));
  return new Set(apps.flatMap((app) => [...app.values()].map((live) => live.record().port)));
}

/** A new instance takes the place of those that ended. */
async function removeExitedRecords(
  appId: string,
  app: Map<string, SupervisedInstance>,
  parts: EngineDeps,
): Promise<void> {
  for (const [id, live] of app) {
    if (isRunning(live)) continue;
    await removeInstanceRecord(appLayout(parts.dataDir, appId), id);
    app.delete(id);
  }
}

function isRunning(live: SupervisedInstance): boolean {
  return live.record().exit === undefined;
}
