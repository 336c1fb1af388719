import type { KubernetesDeps } from './deps.ts';
import { hasStatus, undefinedIfMissing } from './kubernetes-error.ts';
import { internalService, namespaceManifest } from './manifests.ts';
import { ownSelector, requireOwnNamespace } from './ownership.ts';

type NamespaceDeps = Pick<KubernetesDeps, 'api' | 'owner'>;
type Namespace = {
  metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string };
};

/** Creates the namespace of a project with what all its apps share. Refuses one that is not ours. */
export async function ensureNamespace(
  projectId: string,
  { api, owner }: NamespaceDeps,
  signal: AbortSignal,
): Promise<void> {
  const manifest = namespaceManifest(projectId, owner);
  const path = `/api/v1/namespaces/${manifest.metadata.name}`;
  const create = () =>
    api.call<Namespace>('POST', '/api/v1/namespaces', { body: manifest, signal });
  const existing = await undefinedIfMissing(api.call<Namespace>('GET', path, { signal }));
  const namespace =
    existing ??
    // Another app of the project may create it at the same time.
    (await create().catch((error: unknown) => {
      if (!hasStatus(error, 409)) throw error;
      return api.call<Namespace>('GET', path, { signal });
    }));
  requireOwnNamespace(namespace, owner);
  await api.call('PATCH', path, { patch: 'apply', body: manifest, signal });
  const service = internalService(projectId, owner);
  await api.call('PATCH', `${path}/services/${service.metadata.name}`, {
    patch: 'apply',
    body: service,
    signal,
  });
}

const KEPT_KINDS = ['/api/v1/pods', '/api/v1/configmaps', '/apis/apps/v1/deployments'];

/**
 * Removes namespaces without apps. Only those from which an app was removed just now are asked for: a list that is empty by mistake
 * must not remove a project.
 */
export async function removeUnusedNamespaces(
  names: Set<string>,
  { api, owner }: NamespaceDeps,
  signal: AbortSignal,
): Promise<void> {
  const labelSelector = ownSelector(owner);
  for (const name of names) {
    const path = `/api/v1/namespaces/${name}`;
    const namespace = await undefinedIfMissing(api.call<Namespace>('GET', path, { signal }));
    if (namespace === undefined) continue;
    requireOwnNamespace(namespace, owner);
    const lists = await Promise.all(
      KEPT_KINDS.map((kind) => {
        const inNamespace = kind.replace(/(\/[^/]+)$/, `/namespaces/${name}$1`);
        return api.call<{ items: unknown[] }>('GET', inNamespace, {
          query: { labelSelector },
          signal,
        });
      }),
    );
    if (lists.some(({ items }) => items.length > 0)) continue;
    await undefinedIfMissing(api.call('DELETE', path, { signal }));
  }
}
