import type { BuilderSlot } from '../../image-build/builders-port.ts';
import type { EngineParts } from '../deps.ts';
import { isClusterDown, undefinedIfMissing } from '../kubernetes-error.ts';
import { createObject } from '../objects.ts';
import { LABELS, type Ownership } from '../ownership.ts';
import { buildNamespaceOf } from './builder-pod.ts';

type CacheDeps = Pick<EngineParts, 'api' | 'owner' | 'limits' | 'builderStorageClass' | 'logError'>;
type StorageClass = { metadata: { annotations?: Record<string, string> } };
type Claim = { metadata: { deletionTimestamp?: string } };

/** The setting for caches that go with the pods of their builders. */
const NO_CLASS = 'none';
const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/**
 * The name of the claim of a volume with the cache of a place, which its builders use one after the other. Undefined: the cluster makes
 * no volumes, or this one is being removed.
 */
export async function openCache(
  slot: BuilderSlot,
  deps: CacheDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (!(await hasVolumes(deps, signal))) return undefined;
    const claim = cacheClaim(slot, deps);
    await createObject(claim, deps, signal);
    const { metadata } = await deps.api.call<Claim>('GET', cachePath(slot, deps.owner), { signal });
    return metadata.deletionTimestamp === undefined ? claim.metadata.name : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isClusterDown(error)) throw error;
    // Such as the rights of an older chart. Builds need no cache.
    deps.logError(error);
    return undefined;
  }
}

/** The cluster removes it once no pod uses it. */
export async function removeCache(
  slot: BuilderSlot,
  deps: Pick<CacheDeps, 'api' | 'owner'>,
  signal: AbortSignal,
): Promise<void> {
  await undefinedIfMissing(deps.api.call('DELETE', cachePath(slot, deps.owner), { signal }));
}

async function hasVolumes({ api, builderStorageClass }: CacheDeps, signal: AbortSignal) {
  if (builderStorageClass !== undefined) return builderStorageClass !== NO_CLASS;
  const path = '/apis/storage.k8s.io/v1/storageclasses';
  const { items } = await api.call<{ items: StorageClass[] }>('GET', path, { signal });
  return items.some(({ metadata }) => metadata.annotations?.[IS_DEFAULT] === 'true');
}

function cacheName({ number }: BuilderSlot): string {
  return `cache-${number}`;
}

function cachePath(slot: BuilderSlot, owner: Ownership): string {
  const namespace = buildNamespaceOf(owner, slot.ownerId);
  return `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${cacheName(slot)}`;
}

export function cacheClaim(
  slot: BuilderSlot,
  {
    owner,
    limits,
    builderStorageClass,
  }: Pick<CacheDeps, 'owner' | 'builderStorageClass'> & {
    limits: Pick<CacheDeps['limits'], 'builderDiskBytes'>;
  },
) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: cacheName(slot),
      namespace: buildNamespaceOf(owner, slot.ownerId),
      labels: { [LABELS.installation]: owner.installation, [LABELS.owner]: slot.ownerId },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(builderStorageClass === undefined ? {} : { storageClassName: builderStorageClass }),
      resources: { requests: { storage: String(limits.builderDiskBytes) } },
    },
  };
}
