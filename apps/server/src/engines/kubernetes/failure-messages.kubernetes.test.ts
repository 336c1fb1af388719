import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import type { ReleaseSpec } from '../engine.ts';
import { createKubernetesApi } from './kubernetes-api.ts';
import type { PreparedKubernetesEngine } from './prepare-engine.ts';

const SERVES = { settings: { Cmd: ['sh', '-c', 'exec httpd -f -p $PORT'] } };
const GIT = { kind: 'git', url: 'https://example.com/a.git', ref: 'main' } as const;

describe.skipIf(missingForCluster.length > 0)('on a cluster', () => {
  let bench: KubernetesBench;
  let engine: PreparedKubernetesEngine;
  beforeAll(async () => {
    bench = await createKubernetesBench();
    engine = bench.engine({ limits: { ...bench.deps.limits, scheduleMs: 1_000 } });
  });
  afterAll(() => bench.clear());

  async function start(spec: ReleaseSpec) {
    await engine.build(spec, () => {}, SIGNAL);
    const instance = await engine.startInstance(spec, SIGNAL);
    return await engine.waitUntilListening(instance, spec, SIGNAL);
  }

  it('fails with no-room of an app that fits on no node, and leaves no pod', async () => {
    const size = { cpus: 1, memoryBytes: 1024 ** 4, processes: 256 };
    const spec = await bench.spec(SERVES, { size });
    await expect(start(spec)).rejects.toMatchObject({
      reason: 'no-room',
      evidence: ['No node has enough free memory'],
    });
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
  });

  it('fails with cluster-quota-reached of an app over a quota, and leaves no pod', async () => {
    const spec = await bench.spec(SERVES);
    await engine.build(spec, () => {}, SIGNAL);
    const path = `/api/v1/namespaces/longshore-${spec.projectId}/resourcequotas`;
    const body = { metadata: { name: 'team' }, spec: { hard: { 'limits.memory': '200Mi' } } };
    await bench.deps.api.call('POST', path, { body, signal: SIGNAL });
    await expect(engine.startInstance(spec, SIGNAL)).rejects.toMatchObject({
      reason: 'cluster-quota-reached',
      evidence: ['Quota team', 'limits.memory: 0 of 200Mi used, 268435456 more needed'],
    });
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
  });

  it('fails with not-offered of what the engine cannot do yet', async () => {
    const spec = await bench.spec(SERVES);
    const building = engine.build({ ...spec, origin: GIT }, () => {}, SIGNAL);
    await expect(building).rejects.toMatchObject({ reason: 'not-offered' });
  });

  it('fails with image-not-found of an image that the registry lacks', async () => {
    const spec = await bench.spec(SERVES);
    const image = `${bench.registry.host}/missing:1`;
    const building = engine.build({ ...spec, origin: { kind: 'image', image } }, () => {}, SIGNAL);
    await expect(building).rejects.toMatchObject({ reason: 'image-not-found' });
  });

  it('fails with start-command-missing of a command that the image lacks', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['missing-program'] } });
    await expect(start(spec)).rejects.toMatchObject({ reason: 'start-command-missing' });
  });

  it('fails with port-never-answered of an app that does not listen', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['sleep', '1000'] } }, { graceSeconds: 3 });
    await expect(start(spec)).rejects.toMatchObject({ reason: 'port-never-answered' });
  });

  it('fails with app-exited and the last lines of an app that exits', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['sh', '-c', 'echo no config; exit 3'] } });
    await expect(start(spec)).rejects.toMatchObject({
      reason: 'app-exited',
      evidence: ['Exit code 3', 'no config'],
    });
  });

  it('fails with cluster-down while the API server does not respond, and removes nothing', async () => {
    const unreachable = bench.engine({
      api: createKubernetesApi({ server: 'http://127.0.0.1:9', authorize: async () => {} }),
    });
    const down = { reason: 'cluster-down' };
    await expect(unreachable.observe('one', SIGNAL)).rejects.toMatchObject(down);
    await expect(unreachable.listApps(SIGNAL)).rejects.toMatchObject(down);
    await expect(unreachable.removeApp('one', SIGNAL)).rejects.toMatchObject(down);
    await unreachable.close();
  });

  it('refuses a namespace that belongs to somebody else', async () => {
    const spec = await bench.spec(SERVES);
    const name = `longshore-${spec.projectId}`;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await bench.deps.api.call('POST', '/api/v1/namespaces', { body, signal: SIGNAL });
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toThrow('does not belong');
    const path = `/api/v1/namespaces/${name}/configmaps`;
    const labelSelector = `dev.longshore/app=${spec.appId}`;
    const query = { labelSelector };
    expect(await bench.deps.api.call('GET', path, { query, signal: SIGNAL })).toMatchObject({
      items: [],
    });
  });
});
