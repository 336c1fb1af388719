import { isSameJson } from '@longshore/contract';
import type { Isolation } from '../../sandbox/isolation.ts';
import type { Engine, Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createRunningCommands } from '../running-commands.ts';
import { buildRelease, reuseRelease } from './build-release.ts';
import type { EngineDeps, ProcessEngineDeps } from './deps.ts';
import { freeOutput } from './free-output.ts';
import { type InstanceRecord, toInstance } from './instance-record.ts';
import { createInstanceRegistry } from './instance-registry.ts';
import { appLayout, appsFolder, recordsFolder } from './layout.ts';
import { createReplacements, isOutdated } from './outdated-instances.ts';
import { startOutputLimiter } from './output-limiter.ts';
import { prepareEngine } from './prepare-engine.ts';
import { listFolder, readBuiltReleases } from './release-record.ts';
import { pruneApp, removeApp } from './remove-app.ts';
import { runCommand } from './run-command.ts';
import { startInstance } from './start-instance.ts';
import { stopInstance } from './stop-instance.ts';
import type { SupervisedInstance } from './supervised-instance.ts';
import { readInstanceUsage } from './usage.ts';
import { waitUntilListening } from './wait-until-listening.ts';

/** Runs apps as processes of this machine. After `close` the apps keep running, and the next server adopts them. */
export type ProcessEngine = Engine & { readonly isolation: Isolation; close(): Promise<void> };

export async function createProcessEngine(options: ProcessEngineDeps): Promise<ProcessEngine> {
  const deps = await prepareEngine(options);
  const instances = createInstanceRegistry(deps);
  const building = new Set<string>();
  const commands = createRunningCommands(deps);
  const replacements = createReplacements(deps);
  const outputLimiter = startOutputLimiter({ ...deps, free: freeOutput });

  const answered = new WeakSet<SupervisedInstance>();
  const stopNaming = instances.watch((appId) => {
    instances
      .ofApp(appId)
      .then((app) => nameAnswered(appId, app))
      .catch(deps.logError);
  });

  /** The private names of an app lead to all instances that answered, of the newest release that has any. */
  async function nameAnswered(appId: string, app: Map<string, SupervisedInstance>): Promise<void> {
    const ready = [...app.values()].filter((live) => isRunning(live) && answered.has(live));
    const newest = ready
      .map((live) => live.record())
      .sort(byAge)
      .at(-1);
    if (newest?.networkAlias === undefined) return;
    const { networkAlias, release } = newest;
    const addresses = ready
      .map((live) => live.record())
      .filter((it) => it.release === release && isSameJson(it.networkAlias, networkAlias))
      .flatMap(({ attachment }) => attachment?.address ?? []);
    await deps.isolated?.names.set({ appId, ...networkAlias }, addresses);
  }

  /** Whether this instance is the only thing of the app that runs. */
  async function isAlone(appId: string, id: string): Promise<boolean> {
    const others = [...(await instances.ofApp(appId))].filter(([other]) => other !== id);
    const isBusy = building.has(appId) || commands.ofApp(appId).length > 0;
    return !isBusy && others.every(([, live]) => !isRunning(live));
  }

  return {
    kind: 'process',
    hasProjectNetwork: deps.isolated !== undefined,
    isolation: deps.isolation,

    async listApps() {
      const folders = [appsFolder(deps.dataDir), recordsFolder(deps.dataDir)];
      const names = await Promise.all(folders.map(listFolder));
      return [...new Set(names.flat())].sort();
    },

    async observe(appId) {
      const live = await instances.ofApp(appId);
      const built = await readBuiltReleases(appLayout(deps.dataDir, appId), deps);
      const seen = [...live.values()].map((it) => seenInstance(appId, it, deps));
      return { built: built.map(({ number }) => number), instances: seen };
    },

    async build(spec, progress, signal) {
      await instances.ofApp(spec.appId);
      building.add(spec.appId);
      try {
        return await buildRelease(spec, progress, deps, signal);
      } finally {
        building.delete(spec.appId);
      }
    },

    async reuseBuild(spec, from, signal) {
      signal.throwIfAborted();
      await reuseRelease(spec, from, deps);
    },

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      const app = await instances.ofApp(spec.appId);
      const { changed } = instances;
      const assignedPorts = () => portsInUse(deps, instances.ofApp);
      const live = await replacements.start(app, signal, () =>
        startInstance(spec, deps, { assignedPorts, changed, signal }),
      );
      app.set(live.record().id, live);
      return seenInstance(spec.appId, live, deps);
    },

    async waitUntilListening(instance, spec, signal) {
      const app = await instances.ofApp(spec.appId);
      const live = app.get(instance.id);
      if (live === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      let hasAnswered = false;
      let foundPort: number | undefined;
      try {
        foundPort = await waitUntilListening(spec, live, deps, signal);
        hasAnswered = true;
      } finally {
        replacements.end(live, hasAnswered);
      }
      await replacements.retireFiles(spec.appId, app, signal);
      if (spec.process === undefined) answered.add(live);
      await nameAnswered(spec.appId, app);
      return { instance, foundPort };
    },

    async stopInstance(appId, instance, signal) {
      const app = await instances.ofApp(appId);
      const live = app.get(instance.id);
      if (live === undefined) return;
      answered.delete(live);
      await nameAnswered(appId, app);
      const stopping = { appId, live, isAlone: () => isAlone(appId, instance.id) };
      await stopInstance(stopping, deps, signal);
      app.delete(instance.id);
      await replacements.retireFiles(appId, app, signal);
    },

    runCommand: (spec, command, signal) =>
      commands.run({ spec, command, signal }, async (stopped) => {
        // Ends what an earlier server left.
        await instances.ofApp(spec.appId);
        const runningIds = () => commands.ofApp(spec.appId).map(({ id }) => id);
        return await runCommand({ spec, command, runningIds }, deps, stopped);
      }),

    async pruneReleases(appId, keep, signal) {
      const used = commands.ofApp(appId).map(({ release }) => release);
      await pruneApp(appId, [...keep, ...used], {
        deps,
        app: await instances.ofApp(appId),
        signal,
      });
    },

    async removeApp(appId, signal) {
      await commands.end(appId);
      await removeApp(appId, { deps, app: await instances.ofApp(appId), signal });
      instances.forget(appId);
    },

    async usage(signal) {
      return await readInstanceUsage(await instances.all(), deps, signal);
    },

    ...(deps.isolated && { usedBytes: ({ appIds }, signal) => usedBytes(appIds, deps, signal) }),
    watch: instances.watch,
    async close() {
      stopNaming();
      await outputLimiter.stop();
      await instances.close();
      await deps.closeSandbox();
    },
  };
}

/** Ports of all recorded instances, because a new instance may not listen yet. */
async function portsInUse(
  deps: EngineDeps,
  appOf: (appId: string) => Promise<Map<string, SupervisedInstance>>,
): Promise<Set<number>> {
  const appIds = await listFolder(recordsFolder(deps.dataDir));
  const apps = await Promise.all(appIds.map(appOf));
  return new Set(apps.flatMap((app) => [...app.values()].map((live) => live.record().port)));
}

/** By release, and then in the order of their starts. */
function byAge(one: InstanceRecord, other: InstanceRecord): number {
  return one.release - other.release || Number(one.id) - Number(other.id);
}

/** On a machine that isolates apps, an instance that is not isolated comes from an earlier version. */
function seenInstance(appId: string, live: SupervisedInstance, deps: EngineDeps): Instance {
  const instance = toInstance(appId, live.record());
  return isOutdated(live, deps) ? { ...instance, isOutdated: true } : instance;
}

function isRunning(live: SupervisedInstance): boolean {
  return live.record().exit === undefined;
}

async function usedBytes(
  appIds: string[],
  { isolated }: EngineDeps,
  signal: AbortSignal,
): Promise<number> {
  const usages = await Promise.all(appIds.map((appId) => isolated?.disks.usage(appId, signal)));
  return usages.reduce((sum, usage) => sum + (usage?.usedBytes ?? 0), 0);
}
