import { setTimeout as delay } from 'node:timers/promises';
import { type Builder, runInBuilder } from '../../../build/buildkit/builder.ts';
import { EngineFailure } from '../../failure.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import { answersBuilds, builderFolder, hideTraceSocket } from '../../image-build/buildkitd.ts';
import type { EngineParts } from '../deps.ts';
import { hasStatus } from '../kubernetes-error.ts';
import { hasStarted, missingRoom, type Pod, startProblem } from '../pod.ts';
import { deletePod, readPod } from '../pods.ts';
import { waitUntilGone } from '../stop-instance.ts';
import { listBuildNamespaces } from './build-namespaces.ts';
import { openCache, removeCache } from './builder-cache.ts';
import {
  BUILDER_CONTAINER,
  BUILDER_MODE,
  builderPod,
  builderQuery,
  buildNamespaceOf,
  DEADLINE_SECONDS,
} from './builder-pod.ts';
import type { PodBuilder } from './builders-port.ts';
import { execInPod } from './exec.ts';

const PAUSE_MS = 200;
/** A start takes a second. On a node without idle processors it may take a minute. */
const READY_TIMEOUT_MS = 3 * 60_000;
/** A pod ends within seconds, unless its node is lost. */
const STOP_MS = 60_000;
const MAX_EVENT_BYTES = 64 * 1024;
const never = new AbortController().signal;

/** Version 2 and version 1. */
const COUNT_KILLS = `cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2> /dev/null
true`;

/** With the cache of its place. Without it, if the cluster cannot give it the volume or buildkitd cannot use it; the next one gets a new one. */
export async function startBuilder(
  slot: BuilderSlot,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<PodBuilder> {
  const namespace = buildNamespaceOf(deps.owner, slot.ownerId);
  const former = await deleteBuilders(namespace, builderQuery(deps.owner, slot), deps, signal);
  const cache = await openCache(slot, deps, signal);
  if (cache === undefined) return await startPod(slot, deps, signal);
  try {
    await Promise.all(former.map((pod) => waitUntilEnded(pod, deps, signal)));
    return await startPod(slot, deps, signal, cache);
  } catch (error) {
    signal.throwIfAborted();
    const isSameWithout =
      error instanceof EngineFailure &&
      ['cluster-down', 'builder-image-missing'].includes(error.reason);
    if (isSameWithout) throw error;
    deps.logError(error);
    await removeCache(slot, deps, signal);
    return await startPod(slot, deps, signal);
  }
}

/** Two programs must not write to one cache. */
async function waitUntilEnded(pod: Pod, deps: EngineParts, signal: AbortSignal): Promise<void> {
  await waitUntilGone(pod, deps, AbortSignal.any([signal, AbortSignal.timeout(STOP_MS)]));
  if ((await readPod(pod, deps, signal)) === undefined) return;
  throw new EngineFailure('engine-failed', ['The node of a former builder does not respond']);
}

/** It is removed if it does not start. */
async function startPod(
  slot: BuilderSlot,
  deps: EngineParts,
  signal: AbortSignal,
  cache?: string,
): Promise<PodBuilder> {
  const { registries, builderImage: image, limits, owner, api } = deps;
  const manifest = builderPod(slot, { image, registries, limits }, owner, cache);
  const { namespace } = manifest.metadata;
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const usableUntil = performance.now() + DEADLINE_SECONDS * 1_000 - limits.buildMs;
  // Not aborted: the cluster would create it nevertheless, and nobody would remove it.
  const pod = await api.call<Pod>('POST', path, { body: manifest, signal: never });
  const builder: Builder = {
    folder: builderFolder(BUILDER_MODE),
    start: (command, commandSignal) =>
      execInPod(
        { namespace, pod: pod.metadata.name, container: BUILDER_CONTAINER },
        command,
        deps,
        commandSignal,
      ),
  };
  const stop = () => removeBuilder(pod, deps);
  try {
    await waitUntilStarted(pod, deps, signal, cache !== undefined);
    await waitUntilReady(pod, builder, deps, signal);
  } catch (error) {
    await stop().catch(deps.logError);
    throw error;
  }
  const endReason = async (checkSignal: AbortSignal) =>
    podEndReason(await readPod(pod, deps, checkSignal));
  return {
    builder,
    stop,
    endReason,
    async isRunning(checkSignal) {
      const current = await readPod(pod, deps, checkSignal);
      return current !== undefined && isRunning(current) && performance.now() < usableUntil;
    },
    async memoryKills(checkSignal) {
      if ((await endReason(checkSignal)) === 'build-out-of-memory') return Number.MAX_SAFE_INTEGER;
      const current = await readPod(pod, deps, checkSignal);
      return current !== undefined && isRunning(current)
        ? await countKills(builder, checkSignal)
        : 0;
    },
  };
}

/** Of a pod that ended by itself. A kubelet evicts pods that fill their volume. */
export function podEndReason(pod: Pod | undefined) {
  if (pod?.status?.reason === 'Evicted') return 'build-disk-full';
  const ended = pod?.status?.containerStatuses?.[0]?.state?.terminated;
  return ended?.reason === 'OOMKilled' ? 'build-out-of-memory' : undefined;
}

function isRunning({ metadata, status }: Pod): boolean {
  const isEnding = metadata.deletionTimestamp !== undefined;
  return !isEnding && status?.containerStatuses?.[0]?.state?.running !== undefined;
}

/** Deletes pods of builders that this server does not use, without waiting for their end: on a lost node they stay. */
export async function deleteBuilders(
  namespace: string,
  query: ReturnType<typeof builderQuery>,
  { api }: Pick<EngineParts, 'api'>,
  signal: AbortSignal,
): Promise<Pod[]> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const { items } = await api.call<{ items: Pod[] }>('GET', path, { query, signal });
  await Promise.all(items.map((pod) => deletePod(pod, { api }, signal)));
  return items;
}

/** Resolves when the pod is gone, or when its node does not respond. What still runs there ends when the node is back. */
async function removeBuilder(pod: Pod, deps: Pick<EngineParts, 'api' | 'owner'>): Promise<void> {
  const signal = AbortSignal.timeout(STOP_MS);
  try {
    await deletePod(pod, deps, signal);
    await waitUntilGone(pod, deps, signal);
  } catch (error) {
    if (await isNamespaceRemoved(error, pod, deps)) return;
    if (!signal.aborted) throw error;
    throw new EngineFailure('engine-failed', ['The pod of a builder does not end'], {
      cause: error,
    });
  }
}

/** The rights of the server in a namespace end before the namespace does. */
async function isNamespaceRemoved(
  error: unknown,
  { metadata }: Pod,
  deps: Pick<EngineParts, 'api' | 'owner'>,
): Promise<boolean> {
  if (!hasStatus(error, 403)) return false;
  const names = await listBuildNamespaces(deps, AbortSignal.timeout(STOP_MS));
  return !names.includes(metadata.namespace);
}

async function waitUntilStarted(
  pod: Pod,
  deps: EngineParts,
  signal: AbortSignal,
  hasVolume: boolean,
): Promise<void> {
  const { startMs, scheduleMs } = deps.limits;
  const startedAt = performance.now();
  while (performance.now() - startedAt < startMs) {
    const current = await readPod(pod, deps, signal);
    if (current === undefined)
      throw new EngineFailure('engine-failed', ['The builder was removed']);
    if (hasStarted(current)) return;
    if (startProblem(current) !== undefined) throw imageMissing(deps);
    const room = performance.now() - startedAt < scheduleMs ? undefined : missingRoom(current);
    if (room !== undefined) {
      const evidence = ['The pod of the builder waits for a node', ...room.evidence];
      throw new EngineFailure(room.reason, evidence);
    }
    const isLate = performance.now() - startedAt > 2 * scheduleMs;
    if (hasVolume && isLate && !(await isMounted(pod, deps, signal))) {
      throw new EngineFailure('engine-failed', ['The volume of the cache is not mounted']);
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw imageMissing(deps);
}

/** Its node has mounted its volumes, and pulls the image. Not one of the conditions that `readPod` keeps. */
async function isMounted(
  { metadata: { namespace, name } }: Pod,
  { api }: EngineParts,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const { status } = await api.call<Pod>('GET', path, { signal });
  const conditions = status?.conditions ?? [];
  return conditions.some((it) => it.type === 'PodReadyToStartContainers' && it.status === 'True');
}

function imageMissing({ builderImage }: EngineParts): EngineFailure {
  return new EngineFailure('builder-image-missing', [`LONGSHORE_BUILDER_IMAGE is ${builderImage}`]);
}

/** Every call has the deadline: a pod that stops responding must not block the builder's place. */
async function waitUntilReady(
  pod: Pod,
  builder: Builder,
  deps: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  const bounded = AbortSignal.any([signal, deadline]);
  try {
    while (!(await answersBuilds(builder, bounded).catch(() => false))) {
      const current = await readPod(pod, deps, bounded);
      if (current === undefined || !isRunning(current)) {
        throw new EngineFailure('engine-failed', ['The builder exited at once']);
      }
      await delay(PAUSE_MS, undefined, { signal: bounded });
    }
    await hideTraceSocket(builder, BUILDER_MODE, bounded);
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    throw new EngineFailure('engine-failed', ['The builder did not start in time'], {
      cause: error,
    });
  }
}

async function countKills(builder: Builder, signal: AbortSignal): Promise<number> {
  const options = { maxBytes: MAX_EVENT_BYTES, signal };
  const text = await runInBuilder(builder, { argv: ['sh', '-c', COUNT_KILLS] }, options);
  return Number(/^oom_kill (\d+)$/m.exec(text.toString('utf8'))?.[1] ?? 0);
}
