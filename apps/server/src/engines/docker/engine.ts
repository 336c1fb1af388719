import { rm } from 'node:fs/promises';
import type { Engine, Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildRelease } from './build-release.ts';
import { type Container, isRunning, toInstance } from './container.ts';
import {
  enableRestarts,
  inspectContainer,
  inspectInstances,
  listOwnContainers,
  removeContainer,
  removeUnstarted,
  stopContainer,
} from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { startEventWatcher } from './event-watcher.ts';
import { appFolder } from './folders.ts';
import { listImageReleases } from './images.ts';
import { createLogFollowers, type LogSource } from './log-followers.ts';
import { removeUnusedNetworks } from './networks.ts';
import { LABELS } from './ownership.ts';
import { listBuiltReleases, removeRelease, reuseRelease } from './releases.ts';
import { startContainer } from './start-container.ts';
import { waitUntilListening } from './wait-until-listening.ts';

/** Runs apps as containers of a Docker Engine. Closing it leaves them running, for the next one to find. */
export type DockerEngine = Engine & { close(): Promise<void> };

export function createDockerEngine(
  parts: DockerDeps,
  onError: (error: unknown) => void,
): DockerEngine {
  const followers = createLogFollowers(parts, onError);
  const listeners = new Set<(appId: string) => void>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };
  const endLookout = startEventWatcher(parts, { followers, changed, onError });

  async function containerOf(appId: string, { id }: Instance, signal: AbortSignal) {
    const labels = { [LABELS.app]: appId, [LABELS.instance]: id };
    const [found] = await listOwnContainers(parts, labels, signal);
    return found && (await inspectContainer(found.Id, parts, signal));
  }

  async function takeAway(container: Container, signal: AbortSignal): Promise<void> {
    await removeContainer(container.Id, parts, signal);
    await followers.remove(logSourceOf(container));
  }

  return {
    kind: 'docker',

    async listApps(signal) {
      const containers = await listOwnContainers(parts, {}, signal);
      const running = containers.map(({ Labels }) => Labels[LABELS.app] ?? '');
      const built = (await listImageReleases(parts, signal)).map(({ appId }) => appId);
      return [...new Set([...running, ...built])].sort();
    },

    async observe(appId, signal) {
      const instances = (await inspectInstances(appId, parts, signal)).map(toInstance);
      return { built: await listBuiltReleases(appId, parts, signal), instances };
    },

    build: (spec, progress, signal) => buildRelease(spec, progress, parts, signal),

    reuseBuild: (spec, from, signal) => reuseRelease(spec, from, parts, signal),

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      const before = await inspectInstances(spec.appId, parts, signal);
      const id = await startContainer(spec, parts, signal);
      for (const ended of before.filter(({ State }) => !isRunning(State))) {
        await followers.finish(logSourceOf(ended));
        await takeAway(ended, signal);
      }
      const container = await inspectContainer(id, parts, signal);
      if (container === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      // It may have ended already; whoever looks next sees that.
      return { ...toInstance(container), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const container = await containerOf(spec.appId, instance, signal);
      if (container === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      await waitUntilListening(container.Id, instance.address, spec, parts, signal);
      await enableRestarts(container.Id, parts, signal);
    },

    async stopInstance(appId, instance, signal) {
      const container = await containerOf(appId, instance, signal);
      if (container === undefined) return;
      await stopContainer(container.Id, parts, signal);
      await followers.finish(logSourceOf(container));
      await takeAway(container, signal);
    },

    async pruneReleases(appId, keep, signal) {
      await removeUnstarted(appId, parts, signal);
      const running = (await inspectInstances(appId, parts, signal)).filter(({ State }) =>
        isRunning(State),
      );
      const needed = new Set([...keep, ...running.map((it) => toInstance(it).release)]);
      for (const release of await listImageReleases(parts, signal, appId)) {
        if (!needed.has(release.number)) await removeRelease(release, parts, signal);
      }
    },

    async removeApp(appId, signal) {
      await removeUnstarted(appId, parts, signal);
      for (const container of await inspectInstances(appId, parts, signal)) {
        await takeAway(container, signal);
      }
      for (const release of await listImageReleases(parts, signal, appId)) {
        await removeRelease(release, parts, signal);
      }
      await removeUnusedNetworks(parts, signal);
      await rm(appFolder(appId, parts), { recursive: true, force: true });
    },

    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      await endLookout();
      await followers.close();
    },
  };
}

function logSourceOf({ Id, Config: { Labels } }: Container): LogSource {
  return { id: Id, appId: Labels[LABELS.app] ?? '', instance: Labels[LABELS.instance] ?? '' };
}
