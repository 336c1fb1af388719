import { rm } from 'node:fs/promises';
import type { Engine, Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { waitForAnswer } from './answers.ts';
import { appFolder } from './app-folder.ts';
import { buildRelease } from './build-release.ts';
import { type Container, instanceOf, isUp } from './container.ts';
import {
  inspect,
  instancesOf,
  ownContainers,
  removeContainer,
  removeUnstarted,
} from './containers.ts';
import type { DockerParts } from './deps.ts';
import { keptReleases } from './images.ts';
import { createLogFollowers, type Followed } from './log-followers.ts';
import { startLookout } from './lookout.ts';
import { removeUnusedNetworks } from './networks.ts';
import { LABELS } from './ownership.ts';
import { builtReleases, forgetRelease, reuseRelease } from './releases.ts';
import { startContainer } from './start-container.ts';
import { keepUp, stopContainer } from './stop-container.ts';

/** Runs apps as containers of a Docker Engine. Closing it leaves them running, for the next one to find. */
export type DockerEngine = Engine & { close(): Promise<void> };

export function createDockerEngine(
  parts: DockerParts,
  onError: (error: unknown) => void,
): DockerEngine {
  const followers = createLogFollowers(parts, onError);
  const listeners = new Set<(appId: string) => void>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };
  const endLookout = startLookout(parts, { followers, changed, onError });

  async function containerOf(appId: string, { id }: Instance, signal: AbortSignal) {
    const labels = { [LABELS.app]: appId, [LABELS.instance]: id };
    const [found] = await ownContainers(parts, labels, signal);
    return found && (await inspect(found.Id, parts, signal));
  }

  async function takeAway(container: Container, signal: AbortSignal): Promise<void> {
    await removeContainer(container.Id, parts, signal);
    await followers.forget(followedOf(container));
  }

  return {
    kind: 'docker',

    async listApps(signal) {
      const containers = await ownContainers(parts, {}, signal);
      const running = containers.map(({ Labels }) => Labels[LABELS.app] ?? '');
      const built = (await keptReleases(parts, signal)).map(({ appId }) => appId);
      return [...new Set([...running, ...built])].sort();
    },

    async observe(appId, signal) {
      const instances = (await instancesOf(appId, parts, signal)).map(instanceOf);
      return { built: await builtReleases(appId, parts, signal), instances };
    },

    build: (spec, progress, signal) => buildRelease(spec, progress, parts, signal),

    reuseBuild: (spec, from, signal) => reuseRelease(spec, from, parts, signal),

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      const before = await instancesOf(spec.appId, parts, signal);
      const id = await startContainer(spec, parts, signal);
      for (const ended of before.filter(({ State }) => !isUp(State))) {
        await followers.finish(followedOf(ended));
        await takeAway(ended, signal);
      }
      const container = await inspect(id, parts, signal);
      if (container === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      // It may have ended already; whoever looks next sees that.
      return { ...instanceOf(container), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const container = await containerOf(spec.appId, instance, signal);
      if (container === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      await waitForAnswer(container.Id, instance.address, spec, parts, signal);
      await keepUp(container.Id, parts, signal);
    },

    async stopInstance(appId, instance, signal) {
      const container = await containerOf(appId, instance, signal);
      if (container === undefined) return;
      await stopContainer(container.Id, parts, signal);
      await followers.finish(followedOf(container));
      await takeAway(container, signal);
    },

    async pruneReleases(appId, keep, signal) {
      await removeUnstarted(appId, parts, signal);
      const running = (await instancesOf(appId, parts, signal)).filter(({ State }) => isUp(State));
      const needed = new Set([...keep, ...running.map((it) => instanceOf(it).release)]);
      for (const release of await keptReleases(parts, signal, appId)) {
        if (!needed.has(release.number)) await forgetRelease(release, parts, signal);
      }
    },

    async removeApp(appId, signal) {
      await removeUnstarted(appId, parts, signal);
      for (const container of await instancesOf(appId, parts, signal)) {
        await takeAway(container, signal);
      }
      for (const release of await keptReleases(parts, signal, appId)) {
        await forgetRelease(release, parts, signal);
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

function followedOf({ Id, Config: { Labels } }: Container): Followed {
  return { id: Id, appId: Labels[LABELS.app] ?? '', instance: Labels[LABELS.instance] ?? '' };
}
