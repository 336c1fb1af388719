import { describe, expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { addCpuTime, createPodUsage, parseQuantity, type RunningPod } from './usage.ts';

const { signal } = new AbortController();
const SHOP: RunningPod = {
  uid: 'u1',
  namespace: 'p',
  name: 'shop',
  appId: 'shop',
  instanceId: '1',
};
const WORKER: RunningPod = {
  uid: 'u2',
  namespace: 'p',
  name: 'worker',
  appId: 'shop',
  instanceId: 'worker.2',
};

const METRICS = {
  metadata: { namespace: 'p', name: 'shop' },
  containers: [{ usage: { cpu: '500m', memory: '1Mi' } }],
};

/** A cluster whose responses are these, one after the other. */
function usageOf(pods: RunningPod[], responses: (object[] | Error)[]) {
  let nowMs = 0;
  const paths: string[] = [];
  const errors: unknown[] = [];
  const call = async (_: string, path: string) => {
    const response = responses[Math.min(paths.length, responses.length - 1)];
    paths.push(path);
    if (response instanceof Error) throw response;
    return { items: response };
  };
  const usage = createPodUsage(() => pods, {
    api: { call } as unknown as KubernetesApi,
    owner: OWNER,
    logError: (error) => errors.push(error),
    now: () => nowMs,
  });
  return {
    errors,
    paths,
    async at(ms: number) {
      nowMs = ms;
      return await usage(signal);
    },
  };
}

describe('the usage of instances', () => {
  it('has the memory now, and counts CPU time between looks', async () => {
    const usage = usageOf([SHOP], [[METRICS]]);
    expect(await usage.at(0)).toEqual([
      { appId: 'shop', instanceId: '1', cpuSeconds: 0, memoryBytes: 1_048_576 },
    ]);
    expect(await usage.at(10_000)).toMatchObject([{ cpuSeconds: 5 }]);
  });

  it('lists instances that are not measured yet without numbers', async () => {
    const usage = usageOf([SHOP, WORKER], [[METRICS]]);
    expect((await usage.at(0))[1]).toEqual({ appId: 'shop', instanceId: 'worker.2' });
  });

  it.each([
    ['does not offer it', new KubernetesError(404, 'not found'), 0],
    ['offers it, but does not respond', new KubernetesError(503, 'unavailable'), 1],
  ])(
    'is asked for once a minute if the cluster %s, and logged at most once',
    async (_, error, lines) => {
      const usage = usageOf([SHOP], [error, error, [METRICS]]);
      for (const ms of [0, 15_000, 59_999, 60_000, 75_000]) {
        expect(await usage.at(ms)).toEqual([{ appId: 'shop', instanceId: '1' }]);
      }
      expect(usage.paths).toHaveLength(2);
      expect(usage.errors).toHaveLength(lines);
      expect(await usage.at(120_000)).toMatchObject([{ memoryBytes: 1_048_576 }]);
    },
  );

  it('is asked for in each namespace by a server that may not list all', async () => {
    const usage = usageOf([SHOP, WORKER], [new KubernetesError(403, 'forbidden'), [METRICS]]);
    expect(await usage.at(0)).toMatchObject([{ memoryBytes: 1_048_576 }, {}]);
    await usage.at(15_000);
    const all = '/apis/metrics.k8s.io/v1beta1/pods';
    const one = '/apis/metrics.k8s.io/v1beta1/namespaces/p/pods';
    expect(usage.paths).toEqual([all, one, one]);
    expect(usage.errors).toEqual([]);
  });

  it('is asked for in one namespace only if the cluster does not offer it', async () => {
    const refused = new KubernetesError(403, 'forbidden');
    const missing = new KubernetesError(404, 'not found');
    const usage = usageOf([SHOP, { ...WORKER, namespace: 'q' }], [refused, missing, missing]);
    await usage.at(0);
    await usage.at(60_000);
    const one = '/apis/metrics.k8s.io/v1beta1/namespaces/p/pods';
    expect(usage.paths).toEqual(['/apis/metrics.k8s.io/v1beta1/pods', one, one]);
    expect(usage.errors).toEqual([]);
  });

  it('goes on while one namespace is removed, and ends if all refuse', async () => {
    const refused = new KubernetesError(403, 'forbidden');
    const ending = { ...WORKER, namespace: 'q' };
    const responses = [refused, [METRICS], refused, refused, refused];
    const usage = usageOf([SHOP, ending], responses);
    expect(await usage.at(0)).toMatchObject([{ memoryBytes: 1_048_576 }, {}]);
    expect(usage.errors).toEqual([]);
    expect(await usage.at(15_000)).toEqual([
      { appId: 'shop', instanceId: '1' },
      { appId: 'shop', instanceId: 'worker.2' },
    ]);
    expect(usage.errors).toEqual([refused]);
  });

  it('does not ask the cluster while nothing runs', async () => {
    const usage = usageOf([], [[METRICS]]);
    expect(await usage.at(0)).toEqual([]);
    expect(usage.paths).toEqual([]);
  });
});

it.each([
  ['12345678n', 0.012345678],
  ['250m', 0.25],
  ['2', 2],
  ['1.5', 1.5],
  ['131072Ki', 134_217_728],
  ['1M', 1_000_000],
  ['-1', undefined],
  ['1Xi', undefined],
])('the quantity %s is %s', (text, expected) => {
  expect(parseQuantity(text)).toEqual(
    expected === undefined ? undefined : expect.closeTo(expected, 9),
  );
});

it('CPU time never decreases', () => {
  const first = addCpuTime(undefined, 2, 1_000);
  expect(first.seconds).toBe(0);
  expect(addCpuTime(first, 2, 1_500).seconds).toBe(1);
});
