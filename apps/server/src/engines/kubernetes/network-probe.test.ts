import { expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { type ProbeResult, probeNetworkPolicies } from './network-probe.ts';

const { signal } = new AbortController();
const CONNECTED = 11;
const REFUSED = 10;

type Body = {
  metadata: { name: string; labels: Record<string, string> };
  spec: { containers: { env: { name: string; value: string }[]; image: string }[] };
};

/** A cluster that runs pods at once. `exitCodes`: of those that connect. */
function fakeCluster(exitCodes: Record<string, number>, namespaces: object[] = []) {
  const pods = new Map<string, Body>();
  const created: string[] = [];
  const removed: string[] = [];
  const podStatus = (name: string) => {
    const exitCode = exitCodes[name];
    const state = exitCode === undefined ? { running: {} } : { terminated: { exitCode } };
    const conditions = [{ type: 'Ready', status: 'True' }];
    return { podIP: `10.0.0.${name.length}`, conditions, containerStatuses: [{ state }] };
  };
  function answer(method: string, path: string, body: Body): object {
    const name = path.split('/').at(-1) ?? '';
    if (path.endsWith('accessreviews')) return { status: { allowed: true } };
    if (path.includes('/networkpolicies/')) created.push(`policy ${name}`);
    if (method === 'DELETE') removed.push(name);
    if (path.endsWith('/pods')) {
      pods.set(body.metadata.name, body);
      created.push(`pod ${body.metadata.name}`);
      return { metadata: { ...body.metadata, namespace: path.split('/')[4] } };
    }
    if (path.includes('/pods/')) return { metadata: { name }, status: podStatus(name) };
    if (path !== '/api/v1/namespaces') {
      if (method === 'GET') throw new KubernetesError(404, 'not found');
      return {};
    }
    return method === 'GET' ? { items: namespaces } : body;
  }
  const api = {
    call: async <Result>(method: string, path: string, { body }: ApiRequest) =>
      answer(method, path, body as Body) as Result,
  } as KubernetesApi;
  return { api, pods, created, removed };
}

function probe({ api }: { api: KubernetesApi }) {
  return probeNetworkPolicies({ api, owner: OWNER, image: 'node:24' }, signal);
}

it.each<[client: number, confined: number, result: ProbeResult]>([
  [REFUSED, REFUSED, { kind: 'enforced' }],
  [CONNECTED, REFUSED, { kind: 'not-enforced', directions: ['incoming'] }],
  [REFUSED, CONNECTED, { kind: 'not-enforced', directions: ['outgoing'] }],
  [12, REFUSED, { kind: 'unknown' }],
  [REFUSED, 1, { kind: 'unknown' }],
])('exit codes %i and %i are %o', async (client, confined, result) => {
  expect(await probe(fakeCluster({ client, confined }))).toEqual(result);
});

it('creates the policies before the pods, and removes its namespace', async () => {
  const cluster = fakeCluster({ client: REFUSED, confined: REFUSED });
  await probe(cluster);
  expect(cluster.created).toEqual([
    ...['policy closed', 'policy confined', 'pod open', 'pod closed'],
    ...['pod client', 'pod confined'],
  ]);
  expect(cluster.removed).toEqual([expect.stringMatching(/^longshore-probe-[0-9a-f]{8}$/)]);
});

it('connects to the closed pod after the open one, and from the confined one to the open one', async () => {
  const { pods, ...cluster } = fakeCluster({ client: REFUSED, confined: REFUSED });
  await probe(cluster);
  const envOf = (name: string) => pods.get(name)?.spec.containers[0]?.env;
  expect(envOf('client')).toEqual([
    { name: 'CONTROL', value: '10.0.0.4' },
    { name: 'TARGET', value: '10.0.0.6' },
  ]);
  expect(envOf('confined')).toEqual([{ name: 'TARGET', value: '10.0.0.4' }]);
});

it('removes what a killed server left, but not what another one probes', async () => {
  const of = (name: string, ageMs: number) => ({
    metadata: { name, creationTimestamp: new Date(Date.now() - ageMs).toISOString() },
  });
  const left = [of('longshore-probe-old', 3_600_000), of('longshore-probe-new', 1_000)];
  const cluster = fakeCluster({ client: REFUSED, confined: REFUSED }, left);
  await probe(cluster);
  expect(cluster.removed).toContain('longshore-probe-old');
  expect(cluster.removed).not.toContain('longshore-probe-new');
});
