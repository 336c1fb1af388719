import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { InstanceUsage } from '../engine.ts';
import type { KubernetesDeps } from './deps.ts';
import { hasStatus } from './kubernetes-error.ts';
import { LABELS, ownSelector } from './ownership.ts';
import { instanceNumber, isRunning, type Pod } from './pod.ts';

/** A running instance, as far as its usage needs it. */
export type RunningPod = {
  uid: string;
  namespace: string;
  name: string;
  appId: string;
  instanceId: string;
};

/** Of an optional part of clusters, `metrics.k8s.io`. Quantities have units: `250m`, `131072Ki`. */
export type PodMetrics = {
  metadata: { name: string; namespace: string };
  containers: { usage: { cpu: string; memory: string } }[];
};

/** What the containers of a pod use now. */
type Measured = { cpus: number; memoryBytes: number };
/** The CPU time of a pod until a moment of `performance.now()`. */
export type CpuTime = { seconds: number; atMs: number };

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const NAMESPACES_AT_ONCE = 8;
/** A cluster without usage is asked again after this time: somebody may have added it. */
const ASK_AGAIN_MS = 60_000;

const UNITS: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};

/** Undefined for an amount that is not one of Kubernetes. */
export function parseQuantity(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** Undefined for a pod that is no instance, or whose container does not run. */
export function runningInstance(pod: Pod): RunningPod | undefined {
  const { uid, namespace, name, labels, deletionTimestamp } = pod.metadata;
  const number = instanceNumber(pod);
  if (number === undefined || deletionTimestamp !== undefined || !isRunning(pod)) return undefined;
  const process = labels[LABELS.process];
  return {
    uid,
    namespace,
    name,
    appId: labels[LABELS.app] ?? '',
    instanceId: process === undefined ? String(number) : `${process}.${number}`,
  };
}

function pathOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

function measuredPods(items: PodMetrics[]): Map<string, Measured> {
  return new Map(
    items.map(({ metadata, containers }) => {
      const total = (pick: (usage: { cpu: string; memory: string }) => string) =>
        containers.reduce((sum, { usage }) => sum + (parseQuantity(pick(usage)) ?? 0), 0);
      const measured = { cpus: total((it) => it.cpu), memoryBytes: total((it) => it.memory) };
      return [pathOf(metadata), measured];
    }),
  );
}

/** The cluster gives the use of the last minute or less, and engines count: it is taken to be the same since the last look. */
export function addCpuTime(before: CpuTime | undefined, cpus: number, nowMs: number): CpuTime {
  const elapsedMs = before === undefined ? 0 : nowMs - before.atMs;
  return { seconds: (before?.seconds ?? 0) + (cpus * elapsedMs) / 1_000, atMs: nowMs };
}

type UsageDeps = Pick<KubernetesDeps, 'api' | 'owner' | 'logError'> & { now?: () => number };

/** CPU and memory of instances, in clusters that measure them. The network and the disk of a pod are not measured. */
export function createPodUsage(
  running: () => RunningPod[],
  { api, owner, logError, now = () => performance.now() }: UsageDeps,
) {
  const cpuTimes = new Map<string, CpuTime>();
  let isOneList = true;
  let askAgainAtMs = 0;
  let hasFailed = false;

  async function list(folder: string, signal: AbortSignal): Promise<PodMetrics[]> {
    const path = `${METRICS}${folder}/pods`;
    const query = { labelSelector: ownSelector(owner) };
    return (await api.call<{ items: PodMetrics[] }>('GET', path, { query, signal })).items;
  }

  /** Of a server that may not list all namespaces at once. One that is being removed has none. */
  async function listEach(namespaces: Set<string>, signal: AbortSignal): Promise<PodMetrics[]> {
    const semaphore = createSemaphore(NAMESPACES_AT_ONCE);
    const refusals: unknown[] = [];
    const listOne = (name: string) =>
      semaphore
        .run(() => list(`/namespaces/${name}`, signal))
        .catch((error: unknown): PodMetrics[] => {
          if (!hasStatus(error, 403)) throw error;
          refusals.push(error);
          return [];
        });
    // A cluster that does not offer it is asked in one namespace only.
    const [first = '', ...others] = namespaces;
    const found = [await listOne(first), ...(await Promise.all(others.map(listOne)))];
    if (refusals.length === namespaces.size) throw refusals[0];
    return found.flat();
  }

  async function listAll(instances: RunningPod[], signal: AbortSignal): Promise<PodMetrics[]> {
    try {
      if (isOneList) return await list('', signal);
    } catch (error) {
      if (!hasStatus(error, 403)) throw error;
      isOneList = false;
    }
    return await listEach(new Set(instances.map(({ namespace }) => namespace)), signal);
  }

  async function measure(
    instances: RunningPod[],
    signal: AbortSignal,
  ): Promise<Map<string, Measured>> {
    if (instances.length === 0 || now() < askAgainAtMs) return new Map();
    try {
      const items = await listAll(instances, signal);
      hasFailed = false;
      return measuredPods(items);
    } catch (error) {
      signal.throwIfAborted();
      askAgainAtMs = now() + ASK_AGAIN_MS;
      // Many clusters do not offer it. Other failures are logged once.
      if (!hasStatus(error, 404) && !hasFailed) logError(error);
      hasFailed = true;
      return new Map();
    }
  }

  return async (signal: AbortSignal): Promise<InstanceUsage[]> => {
    const instances = running();
    const measured = await measure(instances, signal);
    const uids = new Set(instances.map(({ uid }) => uid));
    for (const uid of cpuTimes.keys()) if (!uids.has(uid)) cpuTimes.delete(uid);
    return instances.map(({ uid, appId, instanceId, ...pod }) => {
      const found = measured.get(pathOf(pod));
      if (found === undefined) {
        cpuTimes.delete(uid);
        return { appId, instanceId };
      }
      const cpuTime = addCpuTime(cpuTimes.get(uid), found.cpus, now());
      cpuTimes.set(uid, cpuTime);
      const { memoryBytes } = found;
      return { appId, instanceId, cpuSeconds: cpuTime.seconds, memoryBytes };
    });
  };
}
