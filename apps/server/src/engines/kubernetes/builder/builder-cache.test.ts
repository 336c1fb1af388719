import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../deps.ts';
import type { KubernetesApi } from '../kubernetes-api.ts';
import { KubernetesError } from '../kubernetes-error.ts';
import { cacheClaim, openCache } from './builder-cache.ts';

const { signal } = new AbortController();
const owner = { installation: 'one', prefix: 'longshore' };
const slot = { ownerId: 'ada', number: 1 };
const CLAIMS = '/api/v1/namespaces/longshore-build-ada/persistentvolumeclaims';
const CLASSES = 'GET /apis/storage.k8s.io/v1/storageclasses';

type Cluster = { isDefault?: boolean; claim?: object; refusal?: KubernetesError };

function openWith(builderStorageClass: string | undefined, cluster: Cluster = {}) {
  const requests: string[] = [];
  const errors: unknown[] = [];
  async function call(method: string, path: string) {
    requests.push(`${method} ${path}`);
    if (path.endsWith('/storageclasses')) {
      const annotations = {
        'storageclass.kubernetes.io/is-default-class': String(cluster.isDefault),
      };
      return { items: [{ metadata: {} }, { metadata: { annotations } }] };
    }
    if (method === 'POST' && cluster.refusal) throw cluster.refusal;
    return { metadata: cluster.claim ?? {} };
  }
  const api = { call } as unknown as KubernetesApi;
  const logError = (error: unknown) => void errors.push(error);
  const deps = { api, owner, limits: DEFAULT_LIMITS, builderStorageClass, logError };
  return { opened: openCache(slot, deps, signal), requests, errors };
}

it.each<[string, string | undefined, boolean, string | undefined, string[]]>([
  ['has a default class', undefined, true, 'cache-1', [CLASSES]],
  ['has no default class', undefined, false, undefined, [CLASSES]],
  ['has a class that is chosen', 'fast', false, 'cache-1', []],
  ['has a default class, and none is wanted', 'none', true, undefined, []],
])('uses a volume if the cluster %s', async (_, chosen, isDefault, name, before) => {
  const { opened, requests } = openWith(chosen, { isDefault });
  expect(await opened).toBe(name);
  const claim = name === undefined ? [] : [`POST ${CLAIMS}`, `GET ${CLAIMS}/${name}`];
  expect(requests).toEqual([...before, ...claim]);
});

it('uses the volume of the builder before', async () => {
  const refusal = new KubernetesError(409, 'already exists');
  expect(await openWith('fast', { refusal }).opened).toBe('cache-1');
});

it('uses none while that of the place is being removed', async () => {
  const claim = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(await openWith('fast', { claim }).opened).toBeUndefined();
});

it('uses none if the cluster refuses it, and logs that', async () => {
  const refusal = new KubernetesError(403, 'forbidden');
  const { opened, errors } = openWith('fast', { refusal });
  expect(await opened).toBeUndefined();
  expect(errors).toEqual([refusal]);
});

it('asks for as much as a builder may use, of the class that is chosen', () => {
  const limits = { builderDiskBytes: 1_000 };
  const claimOf = (builderStorageClass: string | undefined) =>
    cacheClaim(slot, { owner, limits, builderStorageClass });
  expect(claimOf('fast')).toMatchObject({
    metadata: { name: 'cache-1', namespace: 'longshore-build-ada' },
    spec: { storageClassName: 'fast', resources: { requests: { storage: '1000' } } },
  });
  expect(claimOf(undefined).spec).not.toHaveProperty('storageClassName');
});
