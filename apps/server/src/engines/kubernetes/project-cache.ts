import { setTimeout as delay } from 'node:timers/promises';
import type { Namespace } from './namespace.ts';
import type { OwnChanges } from './own-changes.ts';
import { appsIn, LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';

/** A namespace that contains objects of an app. `uid` is unknown until a watch has reported it. */
export type AppNamespace = { name: string; uid?: string };

/**
 * What the watches have reported. Each answer is undefined while it may be old: then the API server has to be asked. Nothing is
 * concluded from what is missing here in such a time.
 */
export type ProjectCache = {
  namespacesOf(appId: string): AppNamespace[] | undefined;
  appsIn(namespace: string): string[];
  podsOf(appId: string): Pod[] | undefined;
  /** Waits for lists that are being read, until one of them fails or takes too long. */
  whenListed(appId: string, signal: AbortSignal): Promise<void>;
  /** Pods that were read since `version` of the own changes: if the watch has reported the same ones, it has caught up. */
  confirm(appId: string, pods: Pod[], version: number | undefined): void;
  /** This server brings an app into a namespace, before the watch reports that. */
  enter(appId: string, namespace: string): void;
  leave(appId: string, namespace: string): void;
};

export type ProjectCacheInput = {
  listNamespaces(namespaces: Namespace[]): void;
  setNamespace(namespace: Namespace, isDeleted: boolean): void;
  listPods(namespace: string, pods: Pod[]): void;
  setPod(pod: Pod, isDeleted: boolean): void;
  /** What is known may be old until the next list. Undefined: the namespaces themselves. */
  setOutdated(namespace: string | undefined): void;
  setFailed(namespace: string | undefined): void;
};

/** Many lists may wait for one that gets no response: then each app reports by itself that the cluster is down. */
const LIST_MS = 30_000;

type ListState =
  | { kind: 'listing'; ended: PromiseWithResolvers<void> }
  | { kind: 'current' }
  /** The last list failed, and will be tried again. */
  | { kind: 'failed' };

type Project = { uid: string; apps: string[] };
type WatchedPods = { state: ListState; pods: Map<string, Pod> };

export function createProjectCache(changes: OwnChanges): ProjectCache & ProjectCacheInput {
  let namespaces: ListState = listing();
  const projects = new Map<string, Project>();
  const namesByApp = new Map<string, Set<string>>();
  const entered = new Map<string, Set<string>>();
  const watched = new Map<string, WatchedPods>();
  /** The version of the own changes that the watch has reported. */
  const confirmed = new Map<string, number>();

  function add(appId: string, name: string, names: Map<string, Set<string>>): void {
    names.set(appId, (names.get(appId) ?? new Set()).add(name));
  }

  function remove(appId: string, name: string, names: Map<string, Set<string>>): void {
    names.get(appId)?.delete(name);
    if (names.get(appId)?.size === 0) names.delete(appId);
  }

  function forget(name: string): void {
    for (const appId of projects.get(name)?.apps ?? []) remove(appId, name, namesByApp);
    projects.delete(name);
  }

  /** The namespace is gone, and so is its watch. */
  function drop(name: string): void {
    forget(name);
    end(watched.get(name)?.state);
    watched.delete(name);
  }

  function setNamespace({ metadata, ...rest }: Namespace, isDeleted: boolean): void {
    const { name, uid, labels = {}, deletionTimestamp } = metadata;
    const isProject = labels[LABELS.project] !== undefined && deletionTimestamp === undefined;
    if (isDeleted || !isProject) {
      drop(name);
      return;
    }
    forget(name);
    const apps = appsIn({ metadata, ...rest });
    projects.set(name, { uid, apps });
    for (const appId of apps) add(appId, name, namesByApp);
  }

  function podsIn(namespace: string): WatchedPods {
    const found = watched.get(namespace) ?? { state: listing(), pods: new Map() };
    watched.set(namespace, found);
    return found;
  }

  function setState(namespace: string | undefined, state: ListState): void {
    const before = namespace === undefined ? namespaces : podsIn(namespace).state;
    if (namespace === undefined) namespaces = state;
    else podsIn(namespace).state = state;
    end(before);
  }

  function namespacesOf(appId: string): AppNamespace[] | undefined {
    if (namespaces.kind !== 'current') return undefined;
    const names = new Set([...(namesByApp.get(appId) ?? []), ...(entered.get(appId) ?? [])]);
    return [...names].map((name) => {
      const uid = projects.get(name)?.uid;
      return uid === undefined ? { name } : { name, uid };
    });
  }

  function watchedPods(appId: string): Pod[] | undefined {
    const places = namespacesOf(appId)?.map(({ name }) => watched.get(name));
    if (places === undefined || places.some((place) => place?.state.kind !== 'current')) return;
    return places
      .flatMap((place) => [...(place?.pods.values() ?? [])])
      .filter(({ metadata }) => metadata.labels[LABELS.app] === appId);
  }

  return {
    namespacesOf,
    appsIn: (namespace) => projects.get(namespace)?.apps ?? [],
    podsOf(appId) {
      const version = changes.version(appId);
      return version === (confirmed.get(appId) ?? 0) ? watchedPods(appId) : undefined;
    },
    async whenListed(appId, signal) {
      await listed(namespaces, signal);
      for (const { name } of namespacesOf(appId) ?? []) {
        await listed(watched.get(name)?.state, signal);
      }
    },
    confirm(appId, pods, version) {
      if (version === undefined || version !== changes.version(appId)) return;
      const known = watchedPods(appId);
      if (known !== undefined && versionsOf(known) === versionsOf(pods)) {
        confirmed.set(appId, version);
      }
    },
    enter: (appId, namespace) => add(appId, namespace, entered),
    leave: (appId, namespace) => remove(appId, namespace, entered),

    listNamespaces(list) {
      const listed = new Set(list.map(({ metadata }) => metadata.name));
      const known = [...projects.keys(), ...watched.keys()];
      for (const name of known) if (!listed.has(name)) drop(name);
      for (const namespace of list) setNamespace(namespace, false);
      setState(undefined, { kind: 'current' });
    },
    setNamespace,
    listPods(namespace, pods) {
      podsIn(namespace).pods = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
      setState(namespace, { kind: 'current' });
    },
    setPod(pod, isDeleted) {
      const { namespace, uid } = pod.metadata;
      const { pods } = podsIn(namespace);
      if (isDeleted) pods.delete(uid);
      else pods.set(uid, pod);
    },
    setOutdated(namespace) {
      const { kind } = namespace === undefined ? namespaces : podsIn(namespace).state;
      if (kind !== 'failed') setState(namespace, listing());
    },
    setFailed: (namespace) => setState(namespace, { kind: 'failed' }),
  };
}

function listing(): ListState {
  return { kind: 'listing', ended: Promise.withResolvers() };
}

function end(state: ListState | undefined): void {
  if (state?.kind === 'listing') state.ended.resolve();
}

function versionsOf(pods: Pod[]): string {
  return pods
    .map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`)
    .sort()
    .join();
}

async function listed(state: ListState | undefined, signal: AbortSignal): Promise<void> {
  if (state?.kind !== 'listing') return;
  signal.throwIfAborted();
  const stopping = new AbortController();
  const timeout = delay(LIST_MS, undefined, {
    signal: AbortSignal.any([signal, stopping.signal]),
    ref: false,
  });
  timeout.catch(() => {});
  await Promise.race([state.ended.promise, timeout]).finally(() => stopping.abort());
}
