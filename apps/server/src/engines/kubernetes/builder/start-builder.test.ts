import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, type EngineParts } from '../deps.ts';
import { KubernetesError } from '../kubernetes-error.ts';
import type { Pod } from '../pod.ts';
import { podEndReason, startBuilder } from './start-builder.ts';

const NAMESPACE = 'longshore-build-ada';

const ended = (reason: string): Pod['status'] => ({
  containerStatuses: [
    {
      restartCount: 0,
      ready: false,
      state: { terminated: { exitCode: 137, reason, startedAt: '', finishedAt: '' } },
    },
  ],
});

it.each<[string, Pod['status'], string | undefined]>([
  ['filled its volume', { phase: 'Failed', reason: 'Evicted' }, 'build-disk-full'],
  ['needed more memory', ended('OOMKilled'), 'build-out-of-memory'],
  ['ended otherwise', ended('Error'), undefined],
  ['runs', { phase: 'Running' }, undefined],
])('names the reason of a builder that %s', (_, status, reason) => {
  const metadata = { name: '', namespace: '', uid: '', creationTimestamp: '', labels: {} };
  expect(podEndReason({ metadata, ...(status && { status }) })).toBe(reason);
});

it('starts beside a former builder that stays, as on a lost node, and deletes that', async () => {
  const requests: string[] = [];
  const former = { metadata: { name: 'builder-0', namespace: NAMESPACE, uid: 'former' } };
  const waiting = { reason: 'ImagePullBackOff' };
  const created = {
    metadata: { name: 'builder-0-x', namespace: NAMESPACE, uid: 'created' },
    status: { containerStatuses: [{ restartCount: 0, ready: false, state: { waiting } }] },
  };
  async function call(method: string, path: string, { body }: { body?: unknown } = {}) {
    requests.push(`${method} ${path.replace(`/api/v1/namespaces/${NAMESPACE}/`, '')}`);
    if (path.endsWith('/pods') && method === 'GET') return { items: [former] };
    if (method === 'GET' && requests.includes('DELETE pods/builder-0-x'))
      throw new KubernetesError(404, 'not found');
    const { name } = (body as { metadata?: { name?: string } } | undefined)?.metadata ?? {};
    if (name === former.metadata.name) throw new KubernetesError(409, 'already exists');
    return created;
  }
  const deps = {
    api: { call },
    owner: { installation: 'one', prefix: 'longshore' },
    registries: {},
    limits: { ...DEFAULT_LIMITS, startMs: 1_000 },
    builderImage: 'missing:1',
    builderStorageClass: 'none',
    logError() {},
  } as unknown as EngineParts;
  const { signal } = new AbortController();
  const starting = startBuilder({ ownerId: 'ada', number: 0 }, deps, signal);
  await expect(starting).rejects.toMatchObject({ reason: 'builder-image-missing' });
  expect(requests).toEqual([
    'GET pods',
    'DELETE pods/builder-0',
    'POST pods',
    'GET pods/builder-0-x',
    'DELETE pods/builder-0-x',
    'GET pods/builder-0-x',
  ]);
});

it('starts without the volume of its cache if no node can have it, and removes that', async () => {
  const requests: string[] = [];
  const volumes: unknown[] = [];
  const errors: unknown[] = [];
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
  const waiting = { reason: 'ImagePullBackOff' };
  const containerStatuses = [{ restartCount: 0, ready: false, state: { waiting } }];
  const isDeleted = (name: string) => requests.includes(`DELETE pods/${name}`);
  async function call(method: string, path: string, { body }: { body?: unknown } = {}) {
    const request = `${method} ${path.replace(`/api/v1/namespaces/${NAMESPACE}/`, '')}`;
    requests.push(request);
    if (request === 'GET pods') return { items: [] };
    if (request.includes('persistentvolumeclaims')) return { metadata: {} };
    if (request === 'POST pods')
      volumes.push((body as { spec: { volumes: [object] } }).spec.volumes[0]);
    const name = `builder-0-${volumes.length}`;
    if (method === 'GET' && isDeleted(name)) throw new KubernetesError(404, 'not found');
    const status = volumes.length === 1 ? { conditions } : { containerStatuses };
    return { metadata: { name, namespace: NAMESPACE, uid: name }, status };
  }
  const deps = {
    api: { call },
    owner: { installation: 'one', prefix: 'longshore' },
    registries: {},
    limits: { ...DEFAULT_LIMITS, scheduleMs: 0, startMs: 1_000 },
    builderImage: 'missing:1',
    builderStorageClass: 'fast',
    logError: (error: unknown) => void errors.push(error),
  } as unknown as EngineParts;
  const { signal } = new AbortController();
  const starting = startBuilder({ ownerId: 'ada', number: 0 }, deps, signal);
  await expect(starting).rejects.toMatchObject({ reason: 'builder-image-missing' });
  expect(volumes).toEqual([
    { name: 'cache', persistentVolumeClaim: { claimName: 'cache-0' } },
    { name: 'cache', emptyDir: { sizeLimit: String(DEFAULT_LIMITS.builderDiskBytes) } },
  ]);
  expect(errors).toMatchObject([{ reason: 'no-room' }]);
  expect(requests).toContain('DELETE persistentvolumeclaims/cache-0');
});
