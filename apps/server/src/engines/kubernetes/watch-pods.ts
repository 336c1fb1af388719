import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { KubernetesDeps } from './deps.ts';
import { hasStatus } from './kubernetes-error.ts';
import type { Namespace } from './namespace.ts';
import { appsIn, LABELS, ownSelector } from './ownership.ts';
import { type Pod, toPod } from './pod.ts';
import type { ProjectCacheInput } from './project-cache.ts';
import { watchList } from './watch-list.ts';

export type PodListeners = {
  /** All pods of this installation in a namespace, after each list. None once the namespace is gone. */
  onList(namespace: string, pods: Pod[]): void;
  onPod(pod: Pod, isDeleted: boolean): void;
  /** The cluster does not respond: what is known of a namespace may be old. */
  onDisconnected(namespace: string): void;
  onError(error: unknown): void;
};

/** After an outage all projects are read again. */
const LISTS_AT_ONCE = 20;
/** The rights of the server in a namespace end just before the namespace does. More refusals in a row have another reason. */
const EXPECTED_REFUSALS = 3;

/**
 * Watches the pods of all projects: one watch for the namespaces, and one in each project that has an app. The server may not watch the pods
 * of the whole cluster.
 */
export function watchPods(
  { api, owner, cache }: Pick<KubernetesDeps, 'api' | 'owner'> & { cache: ProjectCacheInput },
  listeners: PodListeners,
): () => Promise<void> {
  const watches = new Map<string, () => Promise<void>>();
  const ending = new Set<Promise<void>>();
  const lists = createSemaphore(LISTS_AT_ONCE);
  const labelSelector = ownSelector(owner);

  function watch(namespace: string): void {
    if (watches.has(namespace)) return;
    cache.setOutdated(namespace);
    let refusals = 0;
    const isExpected = (error: unknown) => {
      if (!hasStatus(error, 403)) return false;
      refusals += 1;
      // Reported once.
      return refusals !== EXPECTED_REFUSALS + 1;
    };
    const stop = watchList<Pod>(
      { path: `/api/v1/namespaces/${namespace}/pods`, labelSelector, lists },
      {
        onList(found) {
          refusals = 0;
          const pods = found.map(toPod);
          cache.listPods(namespace, pods);
          listeners.onList(namespace, pods);
        },
        onChange(found, isDeleted) {
          const pod = toPod(found);
          cache.setPod(pod, isDeleted);
          listeners.onPod(pod, isDeleted);
        },
        onOutdated: () => cache.setOutdated(namespace),
        onDisconnected() {
          cache.setFailed(namespace);
          listeners.onDisconnected(namespace);
        },
        onError: (error) => void (isExpected(error) || listeners.onError(error)),
      },
      { api },
    );
    watches.set(namespace, stop);
  }

  function forget(namespace: string): void {
    const stop = watches.get(namespace);
    if (stop === undefined) return;
    watches.delete(namespace);
    const stopped = stop().finally(() => ending.delete(stopped));
    ending.add(stopped);
    listeners.onList(namespace, []);
  }

  function see(namespace: Namespace, isDeleted: boolean): void {
    const { name, labels = {}, deletionTimestamp } = namespace.metadata;
    const isProject = labels[LABELS.project] !== undefined;
    if (isDeleted || deletionTimestamp !== undefined) forget(name);
    else if (isProject && appsIn(namespace).length > 0) watch(name);
  }

  const stopNamespaces = watchList<Namespace>(
    { path: '/api/v1/namespaces', labelSelector },
    {
      onList(namespaces) {
        cache.listNamespaces(namespaces);
        const names = new Set(namespaces.map(({ metadata }) => metadata.name));
        for (const name of [...watches.keys()]) if (!names.has(name)) forget(name);
        for (const namespace of namespaces) see(namespace, false);
      },
      onChange(namespace, isDeleted) {
        cache.setNamespace(namespace, isDeleted);
        see(namespace, isDeleted);
      },
      onOutdated: () => cache.setOutdated(undefined),
      // Each namespace notices that by itself.
      onDisconnected: () => cache.setFailed(undefined),
      onError: listeners.onError,
    },
    { api },
  );

  return async () => {
    await stopNamespaces();
    await Promise.all([...[...watches.values()].map((stop) => stop()), ...ending]);
  };
}
