import { setTimeout as delay } from 'node:timers/promises';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { ReleaseSpec } from '../engine.ts';
import { ensureAccess, type NamespaceRole } from './access.ts';
import type { KubernetesDeps } from './deps.ts';
import { hasStatus, undefinedIfMissing } from './kubernetes-error.ts';
import { namespaceManifest } from './manifests.ts';
import type { Namespace } from './namespace.ts';
import { applyObject } from './objects.ts';
import {
  appLabel,
  appSelector,
  appsIn,
  LABELS,
  namespaceOf,
  ownSelector,
  requireOwnNamespace,
  templateHash,
} from './ownership.ts';
import type { AppNamespace } from './project-cache.ts';
import { projectObjects } from './project-objects.ts';

type NamespaceDeps = Pick<KubernetesDeps, 'api' | 'owner' | 'network' | 'projects'>;
type ApiDeps = Pick<KubernetesDeps, 'api' | 'owner' | 'projects'>;

type NamespaceManifest = { metadata: { name: string; labels: Record<string, string> } };

/** A hash of the objects that were applied last: an update of Longshore may have other ones. */
const OBJECTS = 'dev.longshore/objects';
const PAUSE_MS = 200;
/** How long the cluster may take to remove what a namespace contains. */
const REMOVAL_MS = 120_000;
const ATTEMPTS = 10;
/** After an update of Longshore, all projects. */
const UPDATES_AT_ONCE = 8;
const NAMESPACES = '/api/v1/namespaces';

/** The namespace of a project, with what all its apps share, and with this app. Refuses one that is not ours. */
export async function ensureNamespace(
  { projectId, appId }: Pick<ReleaseSpec, 'projectId' | 'appId'>,
  deps: NamespaceDeps,
  signal: AbortSignal,
): Promise<void> {
  const manifest = namespaceManifest(projectId, deps.owner);
  const { name } = manifest.metadata;
  await createNamespace(manifest, 'app', deps, signal);
  const annotations = await applyProjectObjects(projectId, deps, signal);
  // Last: who finds the app has access to it.
  deps.projects?.enter(appId, name);
  const body = { metadata: { labels: { [appLabel(appId)]: '' }, annotations } };
  await deps.api.call('PATCH', `${NAMESPACES}/${name}`, { body, signal });
}

/** Creates a namespace of ours, if it is missing, and gives the server its rights there. */
export async function createNamespace(
  manifest: NamespaceManifest,
  role: NamespaceRole,
  deps: ApiDeps,
  signal: AbortSignal,
): Promise<void> {
  const { api, owner } = deps;
  const { name } = manifest.metadata;
  const path = `${NAMESPACES}/${name}`;
  const create = () => api.call<Namespace>('POST', NAMESPACES, { body: manifest, signal });
  const existing = await presentNamespace(name, deps, signal);
  const namespace =
    existing ??
    // Another app of the project may create it at the same time.
    (await create().catch((error: unknown) => {
      if (!hasStatus(error, 409)) throw error;
      return api.call<Namespace>('GET', path, { signal });
    }));
  requireOwnNamespace(namespace, owner);
  await api.call('PATCH', path, { patch: 'apply', body: manifest, signal });
  await ensureAccess(name, role, deps, signal);
}

/** Waits for the end of one that is being removed: nothing can be created in it. */
async function presentNamespace(
  name: string,
  { api }: Pick<ApiDeps, 'api'>,
  signal: AbortSignal,
): Promise<Namespace | undefined> {
  const until = performance.now() + REMOVAL_MS;
  while (true) {
    const path = `${NAMESPACES}/${name}`;
    const found = await undefinedIfMissing(api.call<Namespace>('GET', path, { signal }));
    const isPresent = found?.metadata.deletionTimestamp === undefined;
    if (isPresent || performance.now() > until) return found;
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** Returns the annotations of a namespace that has these objects. */
async function applyProjectObjects(projectId: string, deps: NamespaceDeps, signal: AbortSignal) {
  const objects = projectObjects(projectId, deps.owner, deps.network());
  for (const object of objects) await applyObject(object, deps, signal);
  return { [OBJECTS]: templateHash(objects) };
}

/**
 * Brings projects that an earlier version of Longshore, or one at another address or with another account, has set up to the
 * current state. One that fails does not keep the others from it.
 */
export async function updateNamespaces(deps: NamespaceDeps, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const semaphore = createSemaphore(UPDATES_AT_ONCE);
  // The same for all: listing the addresses of the machine for each project takes long.
  const network = deps.network();
  const updateDeps = { ...deps, network: () => network };
  const update = async (namespace: Namespace) => {
    try {
      await updateNamespace(namespace, updateDeps, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(await isRemoved(namespace.metadata, deps, signal))) failures.push(error);
    }
  };
  const namespaces = await listNamespaces(ownSelector(deps.owner), deps, signal);
  await Promise.all(namespaces.map((namespace) => semaphore.run(() => update(namespace), signal)));
  if (failures.length > 0) throw failures[0];
}

/** Never creates it: it may be removed at the same time. */
async function updateNamespace(
  { metadata: { name, uid, labels, annotations } }: Namespace,
  deps: NamespaceDeps,
  signal: AbortSignal,
): Promise<void> {
  const projectId = labels?.[LABELS.project];
  if (projectId === undefined || name !== namespaceOf(deps.owner, projectId)) return;
  await ensureAccess(name, 'app', deps, signal);
  const objects = projectObjects(projectId, deps.owner, deps.network());
  if (annotations?.[OBJECTS] === templateHash(objects)) return;
  const path = `${NAMESPACES}/${name}`;
  const manifest = namespaceManifest(projectId, deps.owner);
  const body = { ...manifest, metadata: { ...manifest.metadata, uid } };
  await deps.api.call('PATCH', path, { patch: 'apply', body, signal });
  const current = await applyProjectObjects(projectId, deps, signal);
  await deps.api.call('PATCH', path, { body: { metadata: { uid, annotations: current } }, signal });
}

/** Whether a namespace is gone, being removed, or another one with its name. */
async function isRemoved(
  { name, uid }: AppNamespace,
  { api }: Pick<ApiDeps, 'api'>,
  signal: AbortSignal,
): Promise<boolean> {
  const reading = api.call<Namespace>('GET', `${NAMESPACES}/${name}`, { signal });
  const found = await undefinedIfMissing(reading);
  if (found === undefined || found.metadata.deletionTimestamp !== undefined) return true;
  return uid !== undefined && found.metadata.uid !== uid;
}

/** Identifies the cluster: its system namespace is never replaced. */
export async function readClusterId(
  { api }: Pick<ApiDeps, 'api'>,
  signal: AbortSignal,
): Promise<string> {
  const { metadata } = await api.call<Namespace>('GET', `${NAMESPACES}/kube-system`, { signal });
  return metadata.uid;
}

/** Those that are not being removed. */
export async function listNamespaces(
  labelSelector: string,
  { api }: Pick<ApiDeps, 'api'>,
  signal: AbortSignal,
): Promise<Namespace[]> {
  const query = { labelSelector };
  const { items } = await api.call<{ items: Namespace[] }>('GET', NAMESPACES, { query, signal });
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** The API paths of the lists that contain objects of apps. */
const COLLECTIONS = {
  pods: { root: '/api/v1', plural: 'pods' },
  configMaps: { root: '/api/v1', plural: 'configmaps' },
  deployments: { root: '/apis/apps/v1', plural: 'deployments' },
};

/**
 * The objects of one app, in all its namespaces: it may be about to leave a project. The server may not list objects of the whole
 * cluster.
 */
export async function listOfApp<Found>(
  collection: keyof typeof COLLECTIONS,
  appId: string,
  deps: ApiDeps,
  signal: AbortSignal,
  labelSelector = ownSelector(deps.owner, { [LABELS.app]: appId }),
): Promise<Found[]> {
  const { root, plural } = COLLECTIONS[collection];
  const query = { labelSelector };
  const namespaces = deps.projects?.namespacesOf(appId) ?? (await projectsOf(appId, deps, signal));
  const lists = namespaces.map(async (namespace) => {
    const path = `${root}/namespaces/${namespace.name}/${plural}`;
    const list = () => deps.api.call<{ items: Found[] }>('GET', path, { query, signal });
    try {
      return (await list()).items;
    } catch (error) {
      if (!hasStatus(error, 403)) throw error;
    }
    // The rights of the server in a namespace end before the namespace does.
    if (await isRemoved(namespace, deps, signal)) return [];
    // Somebody removed them, or the server has another account now.
    await ensureAccess(namespace.name, 'app', deps, signal);
    return (await list()).items;
  });
  return (await Promise.all(lists)).flat();
}

/** Not the namespaces of builds, which contain no objects of apps. */
async function projectsOf(
  appId: string,
  deps: ApiDeps,
  signal: AbortSignal,
): Promise<AppNamespace[]> {
  const ofProjects = `${appSelector(deps.owner, appId)},${LABELS.project}`;
  return (await listNamespaces(ofProjects, deps, signal)).map(({ metadata }) => metadata);
}

/** Takes an app that has no objects any more out of its namespaces. One without another app is removed, with all it contains. */
export async function leaveNamespaces(
  appId: string,
  deps: ApiDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const namespace of await listNamespaces(appSelector(deps.owner, appId), deps, signal)) {
    requireOwnNamespace(namespace, deps.owner);
    await leave(namespace.metadata.name, appId, deps, signal);
    deps.projects?.leave(appId, namespace.metadata.name);
  }
}

/** Each change applies to what was read: another app may enter the project at the same time. */
async function leave(name: string, appId: string, { api }: ApiDeps, signal: AbortSignal) {
  const path = `${NAMESPACES}/${name}`;
  for (let attempt = 1; ; attempt += 1) {
    const found = await undefinedIfMissing(api.call<Namespace>('GET', path, { signal }));
    if (found === undefined) return;
    const { resourceVersion } = found.metadata;
    const isLast = appsIn(found).every((other) => other === appId);
    const labels = { [appLabel(appId)]: null };
    const change = isLast
      ? api.call('DELETE', path, { body: { preconditions: { resourceVersion } }, signal })
      : api.call('PATCH', path, { body: { metadata: { resourceVersion, labels } }, signal });
    try {
      await undefinedIfMissing(change);
      return;
    } catch (error) {
      if (!hasStatus(error, 409) || attempt === ATTEMPTS) throw error;
    }
  }
}
