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
import { createFirstObservations } from './first-observations.ts';
import { appFolder, appRecords } from './folders.ts';
import { isClusterDown } from './kubernetes-error.ts';
import { ensureNamespace, leaveNamespaces, listNamespaces } from './namespaces.ts';
import { createOwnChanges, type OwnChanges } from './own-changes.ts';
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
import { deletePod, instancesIn, listPods } from './pods.ts';
import { createProjectCache } from './project-cache.ts';
import { protectPods } from './protect-instances.ts';
import { createReleaseCache } from './release-cache.ts';
import { findBuilt, listBuilt, recordBuilt, recordFoundPort } from './releases.ts';
import { removeReleases } from './remove-releases.ts';
import { createCommandPods } from './run-command.ts';
import { numberPod, startPod, variablesOf } from './start-instance.ts';
import { removePod, waitUntilGone } from './stop-instance.ts';
import { createPodUsage, type RunningPod, runningInstance } from './usage.ts';
import { isServing, waitUntilListening } from './wait-until-listening.ts';
import { watchPods } from './watch-pods.ts';

/** Runs apps as pods. After `close` they keep running, and the next server finds them by their labels. */
export type KubernetesEngine = Engine & { close(): Promise<void> };

type KnownPod = { appId: string; exits: number; running: RunningPod | undefined };

export function createKubernetesEngine(parts: KubernetesDeps): KubernetesEngine {
  const closing = new AbortController();
  const ownChanges = createOwnChanges();
  const projects = createProjectCache(ownChanges);
  const deps = { ...parts, projects };
  const releases = createReleaseCache({
    ...deps,
    changes: ownChanges,
    closed: closing.signal,
    now: () => performance.now(),
  });
  /** Starts and stops of one app change the same numbers. */
  const changes = createKeyedSemaphore(1);
  const firstObservations = createFirstObservations(deps.clock);
  const podLogs = createPodLogs({ ...deps, firstObservations }, deps.logError);
  const commands = createRunningCommands(deps);
  const commandPods = createCommandPods(deps);
  const listeners = new Set<(appId: string) => void>();
  /** By namespace and uid. */
  const known = new Map<string, Map<string, KnownPod>>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };

  function see(pod: Pod): { appId: string; hasExited: boolean } {
    const { uid, labels, namespace } = pod.metadata;
    const appId = labels[LABELS.app] ?? '';
    const exits = exitCount(pod);
    const before = known.get(namespace)?.get(uid);
    const disruption = disruptionOf(pod);
    const isTaken = disruption !== undefined && before?.running !== undefined;
    if (isTaken) {
      const line = `The cluster replaces this instance: ${disruption}`;
      deps.logs.append(appId, toInstance(pod).logName, line);
    }
    const hasExited = isTaken || exits > (before?.exits ?? 0);
    keep(pod, { appId, exits, running: runningInstance(pod) });
    if (hasStarted(pod)) podLogs.follow(pod);
    return { appId, hasExited };
  }

  /** Before the watch reports it. Whether it has exited is left to the watch, which calls the listeners. */
  function remember(pod: Pod): void {
    const { uid, labels, namespace } = pod.metadata;
    const before = known.get(namespace)?.get(uid);
    const { appId = labels[LABELS.app] ?? '', exits = 0 } = before ?? {};
    keep(pod, { appId, exits, running: runningInstance(pod) });
  }

  function keep({ metadata: { namespace, uid } }: Pod, pod: KnownPod): void {
    known.set(namespace, (known.get(namespace) ?? new Map()).set(uid, pod));
  }

  function forget({ metadata: { namespace, uid } }: Pod): void {
    known.get(namespace)?.delete(uid);
  }

  function knownIn(namespace: string): Set<string> {
    const pods = known.get(namespace)?.values() ?? [];
    return new Set([...pods].map(({ appId }) => appId));
  }

  function* runningPods(): Generator<RunningPod> {
    for (const pods of known.values()) {
      for (const { running } of pods.values()) if (running !== undefined) yield running;
    }
  }

  const watchDeps = { ...deps, cache: projects };
  const stopWatching = watchPods(watchDeps, {
    onPod(pod, isDeleted) {
      const { appId, hasExited } = see(pod);
      if (isDeleted) forget(pod);
      if (isDeleted || hasExited) changed(appId);
    },
    onList(namespace, pods) {
      const apps = knownIn(namespace);
      known.delete(namespace);
      for (const pod of pods) apps.add(see(pod).appId);
      for (const appId of apps) changed(appId);
    },
    onDisconnected(namespace) {
      for (const appId of knownIn(namespace)) changed(appId);
    },
    // Each pass reports that the cluster is down, so it is not logged here.
    onError: (error) => void (isClusterDown(error) || deps.logError(error)),
  });

  async function podOf(appId: string, instance: Instance, signal: AbortSignal) {
    const pods = await listPods(appId, deps, signal);
    return pods.find((pod) => isInstance(pod, instance));
  }

  /** As the watch has reported them, unless that may be old. */
  async function observedPods(appId: string, signal: AbortSignal): Promise<Pod[]> {
    await projects.whenListed(appId, signal);
    const watched = projects.podsOf(appId);
    if (watched !== undefined) return watched;
    const version = ownChanges.version(appId);
    const pods = await listPods(appId, deps, signal);
    projects.confirm(appId, pods, version);
    return pods;
  }

  /** The cluster replaces pods of lost or drained nodes by itself: those get a number here, unless a start gives it. */
  async function numberReplacements(
    appId: string,
    found: Pod[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!found.some(isUnnumbered)) return false;
    const release = changes.tryAcquire(appId);
    if (release === undefined) return false;
    try {
      await ownChanges.during(appId, async () => {
        for (const pod of (await listPods(appId, deps, signal)).filter(isUnnumbered)) {
          await numberPod(pod, await listPods(appId, deps, signal), deps, signal);
        }
      });
      return true;
    } finally {
      release();
    }
  }

  async function stop(appId: string, pod: Pod, signal: AbortSignal): Promise<void> {
    await changes.run(appId, () => removePod(pod, deps, signal), signal);
    await waitUntilGone(pod, deps, signal);
    forget(pod);
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
    podLogs.follow(started, { isNew: true });
    return started;
  }

  async function listen(instance: Instance, spec: ReleaseSpec, signal: AbortSignal) {
    const pod = await podOf(spec.appId, instance, signal);
    if (pod === undefined) throw new EngineFailure('app-exited', ['The instance no longer exists']);
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
  }

  const engine: KubernetesEngine = {
    kind: 'kubernetes',
    hasProjectNetwork: true,

    async listApps(signal) {
      const namespaces = await listNamespaces(ownSelector(deps.owner), deps, signal);
      return [...new Set(namespaces.flatMap(appsIn))].sort();
    },

    async observe(appId, signal) {
      const found = await observedPods(appId, signal);
      firstObservations.record(appId);
      await commandPods.endOld(appId, signal);
      const isNumbered = await numberReplacements(appId, found, signal);
      const current = isNumbered ? await observedPods(appId, signal) : found;
      const pods = instancesIn(current);
      const built = await releases.numbersOf(appId, signal);
      // The last lines of an instance that exited say why.
      const exited = pods.filter((pod) => exitOf(pod) !== undefined);
      await Promise.all(exited.map(podLogs.settle));
      return { built, instances: pods.filter(hasStarted).map(toInstance) };
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
      podLogs.follow(pod, { isNew: true });
      remember(pod);
      // It may have exited already; the next observation shows that.
      return { ...toInstance(pod), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const watched = projects.podsOf(spec.appId)?.find((pod) => isInstance(pod, instance));
      if (watched !== undefined && isServing(watched, spec)) {
        return { instance: toInstance(watched), foundPort: undefined };
      }
      return await ownChanges.during(spec.appId, () => listen(instance, spec, signal));
    },

    protectInstances: (appId, instances, signal) =>
      ownChanges.during(appId, () => protectPods(appId, instances, deps, signal)),

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
      // All that there is: the namespaces are not those that the watch has reported.
      const pods = await listPods(appId, parts, signal);
      const deployments = await listDeployments(appId, parts, signal);
      const built = await listBuilt(appId, parts, signal);
      await changes.run(appId, async () => {
        for (const deployment of deployments) await deleteDeployment(deployment, deps, signal);
        for (const pod of pods) await deletePod(pod, deps, signal);
      });
      for (const pod of pods) {
        await waitUntilGone(pod, deps, signal);
        await podLogs.finish(pod);
      }
      await removeReleases(built, [], deps, signal);
      releases.forget(appId);
      await stopLastBuilders(appId, deps, signal);
      await leaveNamespaces(appId, deps, signal);
      await deps.records.remove(appRecords(appId));
      await rm(appFolder(appId, deps), { recursive: true, force: true });
    },

    usage: createPodUsage(() => [...runningPods()], deps),

    removeCaches: deps.builders.stopIdle,

    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      closing.abort();
      await stopWatching();
      await podLogs.close();
      await deps.builders.close();
    },
  };
  return withOwnChanges(engine, ownChanges);
}

/** The operations that change objects of an app. */
function withOwnChanges(engine: KubernetesEngine, { during }: OwnChanges): KubernetesEngine {
  return {
    ...engine,
    build: (spec, ...rest) => during(spec.appId, () => engine.build(spec, ...rest)),
    reuseBuild: (spec, ...rest) => during(spec.appId, () => engine.reuseBuild(spec, ...rest)),
    startInstance: (spec, ...rest) => during(spec.appId, () => engine.startInstance(spec, ...rest)),
    stopInstance: (appId, ...rest) => during(appId, () => engine.stopInstance(appId, ...rest)),
    pruneReleases: (appId, ...rest) => during(appId, () => engine.pruneReleases(appId, ...rest)),
    removeApp: (appId, ...rest) => during(appId, () => engine.removeApp(appId, ...rest)),
  };
}

function isUnnumbered(pod: Pod): boolean {
  return instanceNumber(pod) === undefined && hasStarted(pod);
}

function isInstance(pod: Pod, { id }: Instance): boolean {
  return pod.metadata.labels[LABELS.instance] === id;
}

function portChanges(first: number, second: number): EngineFailure {
  return new EngineFailure('listens-elsewhere', [
    `The app listened on port ${first}, and on port ${second} when it was restarted with PORT=${first}`,
  ]);
}
