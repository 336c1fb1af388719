import { rm } from 'node:fs/promises';
import { buildLogName } from '@longshore/contract';
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import type { Engine, Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildRelease } from './build-release.ts';
import { deleteDeployment, listDeployments } from './deployments.ts';
import type { KubernetesDeps } from './deps.ts';
import { appFolder } from './folders.ts';
import { isClusterDown } from './kubernetes-error.ts';
import { removeUnusedNamespaces } from './namespaces.ts';
import { LABELS, ownSelector } from './ownership.ts';
import { exitCount, exitOf, hasStarted, instanceNumber, type Pod, toInstance } from './pod.ts';
import { createPodLogs } from './pod-logs.ts';
import { deletePod, listInstances, listPods } from './pods.ts';
import { findBuilt, listBuilt, recordBuilt, removeBuilt } from './releases.ts';
import { numberPod, startPod } from './start-instance.ts';
import { removePod, waitUntilGone } from './stop-instance.ts';
import { waitUntilListening } from './wait-until-listening.ts';
import { watchPods } from './watch-pods.ts';

/** Runs apps as pods. After `close` they keep running, and the next server finds them by their labels. */
export type KubernetesEngine = Engine & { close(): Promise<void> };

const LISTED = ['/api/v1/pods', '/api/v1/configmaps', '/apis/apps/v1/deployments'];

export function createKubernetesEngine(deps: KubernetesDeps): KubernetesEngine {
  /** Starts and stops of one app change the same numbers. */
  const changes = createKeyedSemaphore(1);
  const podLogs = createPodLogs(deps, deps.logError);
  const listeners = new Set<(appId: string) => void>();
  const known = new Map<string, { appId: string; exits: number }>();
  const changed = (appId: string) => {
    for (const listener of listeners) listener(appId);
  };

  function see(pod: Pod): { appId: string; hasExited: boolean } {
    const { uid, labels } = pod.metadata;
    const appId = labels[LABELS.app] ?? '';
    const exits = exitCount(pod);
    const hasExited = exits > (known.get(uid)?.exits ?? 0);
    known.set(uid, { appId, exits });
    if (hasStarted(pod)) podLogs.follow(pod);
    return { appId, hasExited };
  }

  const stopWatching = watchPods(deps, {
    onPod(pod, isDeleted) {
      const { appId, hasExited } = see(pod);
      if (isDeleted) known.delete(pod.metadata.uid);
      if (isDeleted || hasExited) changed(appId);
    },
    onList(pods) {
      const apps = new Set([...known.values()].map(({ appId }) => appId));
      known.clear();
      for (const pod of pods) apps.add(see(pod).appId);
      for (const appId of apps) changed(appId);
    },
    onDisconnected() {
      for (const appId of new Set([...known.values()].map(({ appId }) => appId))) changed(appId);
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
    await podLogs.finish(pod);
  }

  return {
    kind: 'kubernetes',
    hasProjectNetwork: true,

    async listApps(signal) {
      const query = { labelSelector: ownSelector(deps.owner) };
      const lists = await Promise.all(
        LISTED.map((path) =>
          deps.api.call<{ items: Pick<Pod, 'metadata'>[] }>('GET', path, { query, signal }),
        ),
      );
      const apps = lists.flatMap(({ items }) => items.map((it) => it.metadata.labels[LABELS.app]));
      return [...new Set(apps)].filter((appId) => appId !== undefined).sort();
    },

    async observe(appId, signal) {
      await numberReplacements(appId, signal);
      const [pods, built] = await Promise.all([
        listInstances(appId, deps, signal),
        listBuilt(appId, deps, signal),
      ]);
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
      await recordBuilt(spec, built, deps, signal);
    },

    async startInstance(spec, signal) {
      signal.throwIfAborted();
      const pod = await changes.run(spec.appId, () => startPod(spec, deps, signal), signal);
      podLogs.follow(pod);
      // It may have exited already; the next observation shows that.
      return { ...toInstance(pod), state: { kind: 'running' } };
    },

    async waitUntilListening(instance, spec, signal) {
      const pod = await podOf(spec.appId, instance, signal);
      if (pod === undefined)
        throw new EngineFailure('app-exited', ['The instance no longer exists']);
      const listening = await waitUntilListening(pod, spec, deps, signal);
      return { instance: toInstance(listening), foundPort: undefined };
    },

    async stopInstance(appId, instance, signal) {
      const pod = await podOf(appId, instance, signal);
      if (pod !== undefined) await stop(appId, pod, signal);
    },

    async runCommand() {
      throw new EngineFailure('not-offered', ['Release commands and one-off commands']);
    },

    async pruneReleases(appId, keep, signal) {
      const pods = await listPods(appId, deps, signal);
      const running = pods.filter((pod) => exitOf(pod) === undefined);
      const used = running.map(({ metadata }) => Number(metadata.labels[LABELS.release]));
      const needed = new Set([...keep, ...used]);
      for (const release of await listBuilt(appId, deps, signal)) {
        if (!needed.has(release.number)) await removeBuilt(release, deps, signal);
      }
    },

    async removeApp(appId, signal) {
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
      for (const release of releases) await removeBuilt(release, deps, signal);
      const used = [...pods, ...deployments].map(({ metadata }) => metadata.namespace);
      const namespaces = new Set([...used, ...releases.map(({ namespace }) => namespace)]);
      await removeUnusedNamespaces(namespaces, deps, signal);
      await rm(appFolder(appId, deps), { recursive: true, force: true });
    },

    // What a cluster does not measure is absent.
    usage: async () => [],

    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      await stopWatching();
      await podLogs.close();
    },
  };
}
