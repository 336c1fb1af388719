import { rm } from 'node:fs/promises';
import { createKeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { startDiskGuard } from '../disk-guard.ts';
import type { Engine, Instance, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createRunningCommands } from '../running-commands.ts';
import { buildRelease } from './build-release.ts';
import { type Container, isRunning, processOf, toInstance, variablesOf } from './container.ts';
import {
  enableRestarts,
  inspectContainer,
  inspectInstances,
  killContainer,
  listOwnContainers,
  removeContainer,
  removeUnstarted,
  stopContainer,
} from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { isEngineDown } from './docker-error.ts';
import { startEventWatcher } from './event-watcher.ts';
import { appFolder } from './folders.ts';
import { machineOfContainers } from './guarded-machine.ts';
import { listImageReleases } from './images.ts';
import { createLogFollowers, type LogSource } from './log-followers.ts';
import { removeUnusedNetworks } from './networks.ts';
import { LABELS } from './ownership.ts';
import { listBuiltReleases, recordFoundPort, removeRelease, reuseRelease } from './releases.ts';
import { createOldCommandsRemover, runCommand } from './run-command.ts';
import { startContainer } from './start-container.ts';
import { createContainerUsage } from './usage.ts';
import { createUsedBytes } from './used-bytes.ts';
import { waitUntilListening } from './wait-until-listening.ts';

/** Runs apps as Docker containers. After `close` they keep running, and the next server finds them by their labels. */
export type DockerEngine = Engine & { close(): Promise<void> };

export function createDockerEngine(
  deps: DockerDeps,
  onError: (error: unknown) => void,
): DockerEngine {
  const starts = createKeyedMutex();
  const followers = createLogFollowers(deps, onError);
  const commands = createRunningCommands(deps);
  const endOldCommands = createOldCommandsRemover(commands, deps);
  const listeners = new Set<(appId: string) => void>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };
  const stopEventWatcher = startEventWatcher(deps, { followers, changed, onError });

  async function containerOf(appId: string, { id }: Instance, signal: AbortSignal) {
    const labels = { [LABELS.app]: appId, [LABELS.instance]: id };
    const [found] = await listOwnContainers(deps, labels, signal);
    return found && (await inspectContainer(found.Id, deps, signal));
  }

  async function requireContainer(id: string, signal: AbortSignal): Promise<Container> {
    const container = await inspectContainer(id, deps, signal);
    if (container !== undefined) return container;
    throw new EngineFailure('app-exited', ['The instance no longer exists']);
  }

  /** One at a time per app: a start removes containers that an interrupted one did not start. */
  function start(spec: ReleaseSpec, signal: AbortSignal, instance?: number): Promise<string> {
    return starts.run(spec.appId, () => startContainer(spec, deps, signal, instance));
  }

  async function removeWithLog(container: Container, signal: AbortSignal): Promise<void> {
    await removeContainer(container.Id, deps, signal);
    await followers.remove(logSourceOf(container));
  }

  /** PORT and published ports change only in a new container, with the same other variables. It becomes the same instance. */
  async function replaceContainer(
    container: Container,
    { instance, spec }: { instance: Instance; spec: ReleaseSpec },
    signal: AbortSignal,
  ): Promise<Container> {
    await stopContainer(container, deps, signal);
    await followers.finish(logSourceOf(container));
    await removeWithLog(container, signal);
    const env = variablesOf(container, Object.keys(spec.env));
    const id = await start({ ...spec, env }, signal, Number(instance.id));
    return await requireContainer(id, signal);
  }

  /** With its files, which take the space that the machine lacks. */
  async function stopForSpace(appId: string): Promise<void> {
    await commands.end(appId);
    for (const container of await inspectInstances(appId, deps, closing.signal)) {
      await killContainer(container.Id, deps, closing.signal);
      await followers.finish(logSourceOf(container));
      await removeWithLog(container, closing.signal);
    }
  }

  const closing = new AbortController();
  const guard = startDiskGuard(
    machineOfContainers(deps, stopForSpace, closing.signal),
    // Each pass reports that Docker is down, so it is not logged here.
    (error) => closing.signal.aborted || isEngineDown(error) || onError(error),
  );

  return {
    kind: 'docker',
    hasProjectNetwork: true,

    async listApps(signal) {
      const containers = await listOwnContainers(deps, {}, signal);
      const running = containers.map(({ Labels }) => Labels[LABELS.app] ?? '');
      const built = (await listImageReleases(deps, signal)).map(({ appId }) => appId);
      return [...new Set([...running, ...built])].sort();
    },

    async observe(appId, signal) {
      await endOldCommands.once(signal);
      const instances = (await inspectInstances(appId, deps, signal)).map(toInstance);
      return { built: await listBuiltReleases(appId, deps, signal), instances };
    },

    async build(spec, progress, signal) {
      guard.checkApp(spec.appId);
      return await buildRelease(spec, progress, deps, signal);
    },

    reuseBuild: (spec, from, signal) => reuseRelease(spec, from, deps, signal),

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      guard.checkApp(spec.appId);
      const id = await start(spec, signal);
      const container = await requireContainer(id, signal);
      // It may have exited already; the next observation shows that.
      return { ...toInstance(container), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const container = await containerOf(spec.appId, instance, signal);
      if (container === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      const first = await waitUntilListening(container.Id, spec, deps, signal);
      if (first.kind === 'listening') {
        await enableRestarts(container.Id, deps, signal);
        return { instance, foundPort: undefined };
      }
      await recordFoundPort(spec, first.port, deps);
      const line = `The app listens on port ${first.port}, so it is restarted with that port`;
      deps.logs.append(spec.appId, instance.logName, line);
      const replacement = await replaceContainer(container, { instance, spec }, signal);
      const second = await waitUntilListening(replacement.Id, spec, deps, signal);
      if (second.kind === 'elsewhere') throw portChanges(first.port, second.port);
      await enableRestarts(replacement.Id, deps, signal);
      return { instance: toInstance(replacement), foundPort: first.port };
    },

    async stopInstance(appId, instance, signal) {
      const container = await containerOf(appId, instance, signal);
      if (container === undefined) return;
      await stopContainer(container, deps, signal);
      await followers.finish(logSourceOf(container));
      await removeWithLog(container, signal);
    },

    runCommand: (spec, command, signal) =>
      commands.run({ spec, command, signal }, async (stopped) => {
        guard.checkApp(spec.appId);
        await endOldCommands.once(stopped);
        try {
          return await runCommand({ spec, command }, deps, stopped);
        } catch (error) {
          // Its container may be left.
          endOldCommands.again();
          throw error;
        }
      }),

    async pruneReleases(appId, keep, signal) {
      await removeUnstarted(appId, deps, signal);
      const running = (await inspectInstances(appId, deps, signal)).filter(({ State }) =>
        isRunning(State),
      );
      const used = commands.ofApp(appId).map(({ release }) => release);
      const needed = new Set([...keep, ...used, ...running.map((it) => toInstance(it).release)]);
      for (const release of await listImageReleases(deps, signal, appId)) {
        if (!needed.has(release.number)) await removeRelease(release, deps, signal);
      }
    },

    async removeApp(appId, signal) {
      await commands.end(appId);
      await endOldCommands.once(signal);
      await removeUnstarted(appId, deps, signal);
      const containers = await inspectInstances(appId, deps, signal);
      await Promise.all(containers.map((container) => stopContainer(container, deps, signal)));
      for (const container of containers) await removeWithLog(container, signal);
      for (const release of await listImageReleases(deps, signal, appId)) {
        await removeRelease(release, deps, signal);
      }
      await removeUnusedNetworks(deps, signal);
      await rm(appFolder(appId, deps), { recursive: true, force: true });
    },

    usage: createContainerUsage(deps, closing.signal),
    usedBytes: createUsedBytes(deps),
    removeCaches: deps.builders.removeCaches,

    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      closing.abort();
      await guard.close();
      await stopEventWatcher();
      await followers.close();
    },
  };
}

function portChanges(first: number, second: number): EngineFailure {
  return new EngineFailure('listens-elsewhere', [
    `The app listened on port ${first}, and on port ${second} when it was restarted with PORT=${first}`,
  ]);
}

function logSourceOf({ Id, Config: { Labels } }: Container): LogSource {
  const { [LABELS.app]: appId = '', [LABELS.instance]: instance = '' } = Labels;
  return { id: Id, appId, instance, process: processOf(Labels) };
}
