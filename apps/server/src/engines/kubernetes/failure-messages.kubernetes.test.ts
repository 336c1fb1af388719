import { randomInt } from 'node:crypto';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeployHarness, fromImage, startDeployHarness } from '../../../test/deploy-harness.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { startRegistry } from '../../../test/engines/docker/registry.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import { OTHER_REGISTRY_PORT } from '../../../test/engines/kubernetes/cluster-plan.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { Reason } from '../failure.ts';
import { createKubernetesApi } from './kubernetes-api.ts';
import { releaseName } from './ownership.ts';
import type { PreparedKubernetesEngine } from './prepare-engine.ts';

const SERVES = { settings: { Cmd: ['sh', '-c', 'exec httpd -f -p $PORT'] } };

describe.skipIf(missingForCluster.length > 0)('on a cluster', () => {
  let bench: KubernetesBench;
  let engine: PreparedKubernetesEngine;
  beforeAll(async () => {
    bench = await createKubernetesBench();
    engine = await bench.engine({ limits: { ...bench.deps.limits, scheduleMs: 1_000 } });
  });
  afterAll(() => bench.clear());

  /** A release whose nodes pull another image than the one that was found. */
  async function builtWith(image: string): Promise<ReleaseSpec> {
    const spec = await bench.spec(SERVES);
    await engine.build(spec, () => {}, SIGNAL);
    const { api } = bench.deps;
    const path = `/api/v1/namespaces/longshore-${spec.projectId}/configmaps/${releaseName(spec)}`;
    const { data } = await api.call<{ data: { release: string } }>('GET', path, { signal: SIGNAL });
    const release = JSON.stringify({ ...JSON.parse(data.release), image });
    await api.call('PATCH', path, { body: { data: { release } }, signal: SIGNAL });
    return spec;
  }

  async function start(spec: ReleaseSpec) {
    await engine.build(spec, () => {}, SIGNAL);
    const instance = await engine.startInstance(spec, SIGNAL);
    return await engine.waitUntilListening(instance, spec, SIGNAL);
  }

  it.each([
    ['memory', { cpus: 1, memoryBytes: 1024 ** 4, processes: 256 }],
    ['CPU', { cpus: 5_000, memoryBytes: 256 * 1024 ** 2, processes: 256 }],
  ])(
    'fails with no-room of an app that fits on no node, for its %s, and leaves no pod',
    async (name, size) => {
      const spec = await bench.spec(SERVES, { size });
      await expect(start(spec)).rejects.toMatchObject({
        reason: 'no-room',
        evidence: [`No node has enough free ${name}`],
      });
      expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
    },
  );

  it('fails with image-not-found of an image that was removed after its build', async () => {
    const { host } = bench.registry;
    const spec = await builtWith(`${host}/removed@sha256:${'0'.repeat(64)}`);
    const starting = engine.startInstance(spec, SIGNAL);
    await expect(starting).rejects.toMatchObject({ reason: 'image-not-found' });
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

  it('fails with image-refused of an image that its registry refuses to nodes', async () => {
    const [address] = bench.registry.host.split(':');
    const host = `${address}:${OTHER_REGISTRY_PORT}`;
    const registry = await startRegistry({ host, isPrivate: true });
    try {
      const digest = await registry.publish({ name: 'team/secret:1', ...SERVES });
      const spec = await builtWith(`${host}/team/secret@${digest}`);
      const starting = engine.startInstance(spec, SIGNAL);
      await expect(starting).rejects.toMatchObject({ reason: 'image-refused' });
      expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
    } finally {
      await registry.stop();
    }
  });

  it('fails with registry-unreachable of an image whose registry does not respond to nodes', async () => {
    const spec = await builtWith(`127.0.0.1:9/team/secret@sha256:${'0'.repeat(64)}`);
    const starting = engine.startInstance(spec, SIGNAL);
    await expect(starting).rejects.toMatchObject({ reason: 'registry-unreachable' });
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
    await expect(start(spec)).rejects.toMatchObject({
      reason: 'port-never-answered',
      evidence: ['No connection on port 3000 within 3 s', expect.stringContaining('0.0.0.0')],
    });
  });

  it('fails with app-exited and the last lines of an app that exits', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['sh', '-c', 'echo no config; exit 3'] } });
    await expect(start(spec)).rejects.toMatchObject({
      reason: 'app-exited',
      evidence: ['Exit code 3', 'no config'],
    });
  });

  it('fails with cluster-down while the API server does not respond, and removes nothing', async () => {
    const unreachable = await bench.engine({
      api: createKubernetesApi({ server: 'http://127.0.0.1:9', authorize: async () => {} }),
    });
    const down = { reason: 'cluster-down' };
    await expect(unreachable.observe('one', SIGNAL)).rejects.toMatchObject(down);
    await expect(unreachable.listApps(SIGNAL)).rejects.toMatchObject(down);
    await expect(unreachable.removeApp('one', SIGNAL)).rejects.toMatchObject(down);
    await unreachable.close();
  });

  it('has no numbers of instances if the cluster does not measure them, and logs no error', async () => {
    const { instance } = await start(await bench.spec(SERVES));
    const errors = bench.errors.length;
    const usages = await engine.usage(SIGNAL);
    const [usage] = usages.filter(({ instanceId }) => instanceId === instance.id);
    expect(usage).toEqual({ appId: expect.any(String), instanceId: instance.id });
    expect(bench.errors).toHaveLength(errors);
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

describe.skipIf(missingForCluster.length > 0)(
  'the status message of an app on a cluster reports',
  () => {
    let bench: KubernetesBench;
    let harness: DeployHarness;
    beforeAll(async () => {
      bench = await createKubernetesBench();
      const limits = { ...bench.deps.limits, listenTimeoutMs: 5_000 };
      const lastLines = (logName: string) => linesOf(logName, bench.lines).slice(-10);
      harness = await startDeployHarness(await bench.engine({ limits }), lastLines);
    });
    afterAll(async () => {
      await harness.stop();
      await bench.clear();
    });

    it.each<[Reason, string, string, RegExp]>([
      [
        'app-exited',
        'of an app that exits at once',
        'echo hit an iceberg; exit 7',
        /^Exit code 7\.$.*^hit an iceberg$/ms,
      ],
      ['crash-loop', 'of an app in a crash loop', 'exit 1', /^Crashed 3 times within a minute\.$/m],
      [
        'listens-elsewhere',
        'of an app that listens on another port',
        'httpd -f -p 8080',
        /^The app listens on port 8080, but port 3000 is configured$/m,
      ],
      [
        'out-of-memory',
        'of an app over its memory limit',
        'exec busybox dd if=/dev/zero of=/dev/null bs=900000000 count=1',
        /^The size of the app/m,
      ],
    ])('%s %s', async (reason, _, command, evidence) => {
      const appId = await deploy(command);
      expect((await harness.waitForFailure(appId, reason)).join('\n')).toMatch(evidence);
      harness.store.deleteApp(appId);
    });

    it('app-killed of an app that is killed', async () => {
      const seconds = String(randomInt(10 ** 8, 10 ** 9));
      const appId = await deploy(`exec sleep ${seconds}`);
      const [pid] = await eventually(async () => {
        const found = await findProcessesByArgv('sleep', seconds);
        return found.length > 0 ? found : undefined;
      });
      process.kill(pid ?? 0, 'SIGKILL');
      await harness.waitForFailure(appId, 'app-killed');
      harness.store.deleteApp(appId);
    });

    it('release-command-failed of a release command that fails', async () => {
      const { origin } = await bench.spec(SERVES);
      const run = { releaseCommand: 'echo hit an iceberg; exit 7' };
      const appId = harness.deploy({ ...fromImage(origin.image), run });
      const evidence = await harness.waitForFailure(appId, 'release-command-failed');
      expect(evidence).toEqual(['Exit code 7.', 'hit an iceberg']);
      harness.store.deleteApp(appId);
    });

    async function deploy(command: string): Promise<string> {
      const { origin } = await bench.spec({ settings: { Cmd: ['sh', '-c', command] } });
      return harness.deploy(fromImage(origin.image));
    }
  },
);
