import { rm } from 'node:fs/promises';
import { buildLogName } from '@longshore/contract';
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import type { Engine, Instance, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createRunningCommands } from '../running-commands.ts';
import { buildRelease } from './build-release.ts';
import { stopLastBuilders } from './builder/build-namespaces.ts';
import { deleteDeployment, listDeployments } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { appFolder, appRecords } from './folders.ts';
import { isClusterDown } from './kubernetes-error.ts';
import { ensureNamespace, leaveNamespaces, listNamespaces } from './namespaces.ts';
import { appsIn, LABELS, ownSelector } from './ownership.ts';
import {
  disruptionOf,
  exitCount,
  exitOf,
  hasStarted,
  instanceNumber,
  type Pod,
  toInstance,
} from './pod.ts';
import { createPodLogs } from './pod-logs.ts';
import { deletePod, listInstances, listPods } from './pods.ts';
import { findBuilt, listBuilt, recordBuilt, recordFoundPort } from './releases.ts';
import { removeReleases } from './remove-releases.ts';
import { createCommandPods } from './run-command.ts';
import { numberPod, startPod, variablesOf } from './start-instance.ts';
import { removePod, waitUntilGone } from './stop-instance.ts';
import { createPodUsage, type RunningPod, runningInstance } from './usage.ts';
import { waitUntilListening } from './wait-until-listening.ts';
import { watchPods } from './watch-pods.ts';

/** Runs apps as pods. After `close` they keep running, and the next server finds them by their labels. */
export type KubernetesEngine = Engine & { close(): Promise<void> };

type KnownPod = {
  appId: string;
  namespace: string;
  exits: number;
  running: RunningPod | undefined;
};

export function createKubernetesEngine(deps: KubernetesDeps): KubernetesEngine {
  /** Starts and stops of one app change the same numbers. */
  const changes = createKeyedSemaphore(1);
  const podLogs = createPodLogs(deps, deps.logError);
  const commands = createRunningCommands(deps);
  const commandPods = createCommandPods(deps);
  const listeners = new Set<(appId: string) => void>();
  const known = new Map<string, KnownPod>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };

  function see(pod: Pod): { appId: string; hasExited: boolean } {
    const { uid, labels, namespace } = pod.metadata;
    const appId = labels[LABELS.app] ?? '';
    const exits = exitCount(pod);
    const before = known.get(uid);
    const disruption = disruptionOf(pod);
    const isTaken = disruption !== undefined && before?.running !== undefined;
    if (isTaken) {
      const line = `The cluster replaces this instance: ${disruption}`;
      deps.logs.append(appId, toInstance(pod).logName, line);
    }
    const hasExited = isTaken || exits > (before?.exits ?? 0);
    known.set(uid, { appId, namespace, exits, running: runningInstance(pod) });
    if (hasStarted(pod)) podLogs.follow(pod);
    return { appId, hasExited };
  }

  /** Before the watch reports it. Whether it has exited is left to the watch, which calls the listeners. */
  function remember(pod: Pod): void {
    const { uid, labels, namespace } = pod.metadata;
    const { appId = labels[LABELS.app] ?? '', exits = 0 } = known.get(uid) ?? {};
    known.set(uid, { appId, namespace, exits, running: runningInstance(pod) });
  }

  function knownIn(namespace: string): Set<string> {
    const pods = [...known.values()].filter((pod) => pod.namespace === namespace);
    return new Set(pods.map(({ appId }) => appId));
  }

  const stopWatching = watchPods(deps, {
    onPod(pod, isDeleted) {
      const { appId, hasExited } = see(pod);
      if (isDeleted) known.delete(pod.metadata.uid);
      if (isDeleted || hasExited) changed(appId);
    },
    onList(namespace, pods) {
      const apps = knownIn(namespace);
      for (const [uid, pod] of known) if (pod.namespace === namespace) known.delete(uid);
      for (const pod of pods) apps.add(see(pod).appId);
      for (const appId of apps) changed(appId);
    },
    onDisconnected(namespace) {
      for (const appId of knownIn(namespace)) changed(appId);
    },
    // Each pass reports that the cluster is down, so it is not logged here.
    onError: (error) => void (isClusterDown(error) || deps.logError(error)),
  });

  async function podOf(appId: string, { id }: Instance, signal: AbortSignal) {
    const pods = await listPods(appId, deps, signal);
    return pods.find((pod) => pod.metadata.labels[LABELS.instance] === id);
  }

  /** The cluster replaces pods of lost or drained nodes by itself: those get a number here, unless a start gives it. */
  async function numberReplacements(appId: string, signal: AbortSignal): Promise<void> {
    const release = changes.tryAcquire(appId);
    if (release === undefined) return;
    try {
      const pods = await listPods(appId, deps, signal);
      for (const pod of pods) {
        const isNew = instanceNumber(pod) === undefined && hasStarted(pod);
        if (isNew) await numberPod(pod, await listPods(appId, deps, signal), deps, signal);
      }
    } finally {
      release();
    }
  }

  async function stop(appId: string, pod: Pod, signal: AbortSignal): Promise<void> {
    await changes.run(appId, () => removePod(pod, deps, signal), signal);
    await waitUntilGone(pod, deps, signal);
    known.delete(pod.metadata.uid);
    await podLogs.finish(pod);
  }

  /** PORT changes only in a new pod, with the same other variables. It becomes the same instance. */
  async function replace(pod: Pod, spec: ReleaseSpec, port: number, signal: AbortSignal) {
    const { appId } = spec;
    const built = await findBuilt(spec, deps, signal);
    if (built !== undefined) await recordFoundPort(built, port, deps, signal);
    const env = await variablesOf(pod, Object.keys(spec.env), deps, signal);
    await stop(appId, pod, signal);
    const number = pod.metadata.labels[LABELS.instance];
    const start = () => startPod({ ...spec, env }, deps, signal, number);
    const started = await changes.run(appId, start, signal);
    podLogs.follow(started);
    return started;
  }

  return {
    kind: 'kubernetes',
    hasProjectNetwork: true,

    async listApps(signal) {
      const namespaces = await listNamespaces(ownSelector(deps.owner), deps, signal);
      return [...new Set(namespaces.flatMap(appsIn))].sort();
    },

    async observe(appId, signal) {
      await commandPods.endOld(appId, signal);
      await numberReplacements(appId, signal);
      const [pods, built] = await Promise.all([
        listInstances(appId, deps, signal),
        listBuilt(appId, deps, signal),
      ]);
      // The last lines of an instance that exited say why.
      const exited = pods.filter((pod) => exitOf(pod) !== undefined);
      await Promise.all(exited.map(podLogs.settle));
      const numbers = new Set(built.map(({ number }) => number));
      return { built: [...numbers], instances: pods.filter(hasStarted).map(toInstance) };
    },

    build: (spec, progress, signal) => buildRelease(spec, progress, deps, signal),

    async reuseBuild(spec, from, signal) {
      const { appId, number } = spec;
      const built = await findBuilt({ appId, number: from }, deps, signal);
      if (built === undefined) {
        throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
      }
      const line = `Release ${number}: reusing the build of release ${from}, ${built.build.revision}`;
      deps.logs.append(appId, buildLogName(appId, number), line);
      // The app may have been moved to a project without one.
      await ensureNamespace(spec, deps, signal);
      await recordBuilt(spec, built, deps, signal);
      const { foundPort } = built;
      const reused = foundPort && (await findBuilt(spec, deps, signal));
      if (reused) await recordFoundPort(reused, foundPort, deps, signal);
    },

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      const pod = await changes.run(spec.appId, () => startPod(spec, deps, signal), signal);
      podLogs.follow(pod);
      remember(pod);
      // It may have exited already; the next observation shows that.
      return { ...toInstance(pod), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const pod = await podOf(spec.appId, instance, signal);
      if (pod === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      const first = await waitUntilListening(pod, spec, deps, signal);
      if (first.kind === 'listening') {
        remember(first.pod);
        return { instance: toInstance(first.pod), foundPort: undefined };
      }
      const line = `The app listens on port ${first.port}, so it is restarted with that port`;
      deps.logs.append(spec.appId, instance.logName, line);
      const replacement = await replace(pod, spec, first.port, signal);
      const second = await waitUntilListening(replacement, spec, deps, signal);
      if (second.kind === 'elsewhere') throw portChanges(first.port, second.port);
      remember(second.pod);
      return { instance: toInstance(second.pod), foundPort: first.port };
    },

    async stopInstance(appId, instance, signal) {
      const pod = await podOf(appId, instance, signal);
      if (pod !== undefined) await stop(appId, pod, signal);
    },

    runCommand: (spec, command, signal) =>
      commands.run({ spec, command, signal }, (stopped) =>
        commandPods.run({ spec, command }, stopped),
      ),

    async pruneReleases(appId, keep, signal) {
      const pods = await listPods(appId, deps, signal);
      const running = pods.filter((pod) => exitOf(pod) === undefined);
      const used = running.map(({ metadata }) => Number(metadata.labels[LABELS.release]));
      const byCommands = commands.ofApp(appId).map(({ release }) => release);
      const needed = new Set([...keep, ...used, ...byCommands]);
      const built = await listBuilt(appId, deps, signal);
      const isKept = ({ number }: { number: number }) => needed.has(number);
      const removed = built.filter((release) => !isKept(release));
      await removeReleases(removed, built.filter(isKept), deps, signal);
    },

    async removeApp(appId, signal) {
      await commands.end(appId);
      await commandPods.removeOld(appId, signal);
      const pods = await listPods(appId, deps, signal);
      const deployments = await listDeployments(appId, deps, signal);
      const releases = await listBuilt(appId, deps, signal);
      await changes.run(appId, async () => {
        for (const deployment of deployments) await deleteDeployment(deployment, deps, signal);
        for (const pod of pods) await deletePod(pod, deps, signal);
      });
      for (const pod of pods) {
        await waitUntilGone(pod, deps, signal);
        await podLogs.finish(pod);
      }
      await removeReleases(releases, [], deps, signal);
      await stopLastBuilders(appId, deps, signal);
      await leaveNamespaces(appId, deps, signal);
      await deps.records.remove(appRecords(appId));
      await rm(appFolder(appId, deps), { recursive: true, force: true });
    },

    usage: createPodUsage(() => [...known.values()].flatMap(({ running }) => running ?? []), deps),

    removeCaches: deps.builders.stopIdle,

    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      await stopWatching();
      await podLogs.close();
      await deps.builders.close();
    },
  };
}

function portChanges(first: number, second: number): EngineFailure {
  return new EngineFailure('listens-elsewhere', [
    `The app listened on port ${first}, and on port ${second} when it was restarted with PORT=${first}`,
  ]);
}
