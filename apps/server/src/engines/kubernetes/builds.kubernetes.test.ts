import { join } from 'node:path';
import { buildLogName } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGISTRY_USER, startRegistry } from '../../../test/engines/docker/registry.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import { OTHER_REGISTRY_PORT } from '../../../test/engines/kubernetes/cluster-plan.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { openAsServer } from '../../../test/engines/kubernetes/server-account.ts';
import { Secret } from '../../secrets/secret.ts';
import type { ReleaseSpec } from '../engine.ts';
import { BUILDER_LABEL, buildNamespaceOf } from './builder/builder-pod.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import type { Pod } from './pod.ts';
import type { KubernetesEngineDeps, PreparedKubernetesEngine } from './prepare-engine.ts';

const CMD = 'CMD ["sh", "-c", "exec httpd -f -p $PORT"]';

describe.skipIf(missingForCluster.length > 0)('builds on a cluster', () => {
  let bench: KubernetesBench;
  let engine: PreparedKubernetesEngine;
  /** With the rights of the chart. */
  let api: KubernetesApi;
  const engineWith = (changes: Partial<KubernetesEngineDeps>) => bench.engine({ api, ...changes });
  beforeAll(async () => {
    bench = await createKubernetesBench();
    const { deps, kubeconfig } = bench;
    const options = { kubeconfig, folder: deps.dataDir, prefix: deps.namespacePrefix };
    ({ api } = await openAsServer(deps.api, options));
    engine = await engineWith({});
  });
  afterAll(() => bench.clear());

  const build = (spec: ReleaseSpec, by = engine) => by.build(spec, () => {}, SIGNAL);
  const linesFor = ({ appId, number }: ReleaseSpec) =>
    linesOf(buildLogName(appId, number), bench.lines);
  const read = <Found>(path: string, query = {}) =>
    bench.deps.api.call<Found>('GET', path, { query, signal: SIGNAL });

  function namespaceFor({ ownerId }: ReleaseSpec): string {
    const { installation, namespacePrefix: prefix } = bench.deps;
    return `/api/v1/namespaces/${buildNamespaceOf({ installation, prefix }, ownerId)}`;
  }

  async function buildersOf(spec: ReleaseSpec): Promise<Pod[]> {
    const query = { labelSelector: `${BUILDER_LABEL}=${bench.deps.installation}` };
    return (await read<{ items: Pod[] }>(`${namespaceFor(spec)}/pods`, query)).items;
  }

  /** The digests of the images of an owner in the registry, by tag. */
  async function tagsOf({ ownerId }: ReleaseSpec): Promise<string[]> {
    const url = `http://${bench.registry.host}/v2/longshore-${ownerId}/tags/list`;
    const { tags } = (await (await fetch(url)).json()) as { tags?: string[] | null };
    return (tags ?? []).sort();
  }

  it('runs what a Dockerfile builds, with its arguments and secrets, and logs no secret', async () => {
    const env = { COLOUR: 'red', TOKEN: 'sentinel-4711\n' };
    const spec = await bench.source(
      [
        'ARG COLOUR',
        'RUN --mount=type=secret,id=TOKEN cat /run/secrets/TOKEN > /token',
        'RUN mkdir /site && echo "$COLOUR $(cat /token)" > /site/index.html',
        'CMD ["sh", "-c", "exec httpd -f -h /site -p $PORT"]',
      ],
      { env },
    );
    expect(await build(spec)).toMatchObject({ inputs: { arguments: ['COLOUR'] } });
    const started = await engine.startInstance(spec, SIGNAL);
    const { instance } = await engine.waitUntilListening(started, spec, SIGNAL);
    const { host, port } = instance.address;
    expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('red sentinel-4711\n');
    expect(linesFor(spec).join('\n')).not.toContain('sentinel-4711');
    const pods = JSON.stringify(await buildersOf(spec));
    expect(pods).not.toContain('sentinel');
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('pushes to a private registry with the account of the operator, and nodes pull with it', async () => {
    const [address] = bench.registry.host.split(':');
    const host = `${address}:${OTHER_REGISTRY_PORT}`;
    const registry = await startRegistry({ host, isPrivate: true });
    try {
      const { username, password } = REGISTRY_USER;
      const credential = { username, password: new Secret(password) };
      const own = { host, path: 'team', isInsecure: true, credential };
      const registries = { ...bench.deps.registries, registry: own };
      const other = await engineWith({ registries });
      const spec = await bench.source([CMD]);
      await build(spec, other);
      const instance = await other.startInstance(spec, SIGNAL);
      await other.waitUntilListening(instance, spec, SIGNAL);
      expect(JSON.stringify(await buildersOf(spec))).not.toContain(password);
      await other.removeApp(spec.appId, SIGNAL);
    } finally {
      await registry.stop();
    }
  });

  it('runs builders in a namespace of their owner, without an account and with limits', async () => {
    const spec = await bench.source([CMD]);
    await build(spec);
    const [pod] = await buildersOf(spec);
    expect(pod).toMatchObject({
      spec: {
        automountServiceAccountToken: false,
        containers: [{ securityContext: { privileged: false }, resources: { limits: {} } }],
      },
    });
    expect(JSON.stringify(pod)).not.toContain('serviceaccount/token');
    const namespace = await read(namespaceFor(spec));
    expect(namespace).toMatchObject({
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    });
    const policies = namespaceFor(spec).replace('/api/v1', '/apis/networking.k8s.io/v1');
    expect(await read(`${policies}/networkpolicies`)).toMatchObject({ items: [{}] });
    expect(await read(`${namespaceFor(spec)}/resourcequotas`)).toMatchObject({ items: [{}] });
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('uses the steps of the build before, unless the owner cleared the cache', async () => {
    const step = 'RUN cat /proc/sys/kernel/random/uuid > /id && cat /id';
    const spec = await bench.source([step, CMD]);
    const idOf = async (changes: Partial<ReleaseSpec>) => {
      const release = { ...spec, ...changes };
      await build(release);
      return linesFor(release).find((line) => /^[0-9a-f-]{36}$/.test(line));
    };
    expect(await idOf({})).toBeDefined();
    expect(await idOf({ number: 2 })).toBeUndefined();
    expect(await idOf({ number: 3, cacheClears: 1 })).toBeDefined();
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('keeps the steps of former builders on a volume, in a cluster that makes volumes', async () => {
    const storageClass = `cache-${crypto.randomUUID()}`;
    const post = (path: string, body: object) =>
      bench.deps.api.call('POST', path, { body, signal: SIGNAL });
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: storageClass, annotations },
      provisioner: 'kubernetes.io/no-provisioner',
    });
    // Instead of a provisioner. The nodes share the disk of this machine.
    await post('/api/v1/persistentvolumes', {
      metadata: { name: storageClass },
      spec: {
        storageClassName: storageClass,
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: join(bench.deps.dataDir, storageClass), type: 'DirectoryOrCreate' },
      },
    });
    const step = 'RUN cat /proc/sys/kernel/random/uuid > /id && cat /id';
    const spec = await bench.source([step, CMD], { ownerId: crypto.randomUUID() });
    const idOf = async (number: number, by: PreparedKubernetesEngine) => {
      const release = { ...spec, number };
      await build(release, by);
      return linesFor(release).find((line) => /^[0-9a-f-]{36}$/.test(line));
    };
    const errors = bench.errors.length;
    const limits = { ...bench.deps.limits, builderIdleMs: 1_000 };
    const first = await engineWith({ limits });
    expect(await idOf(1, first)).toBeDefined();
    await expect.poll(() => buildersOf(spec), { timeout: 60_000 }).toEqual([]);
    expect(await idOf(2, first)).toBeUndefined();
    // Its builder has no time to end before the next one starts.
    expect(await idOf(3, await engineWith({ limits }))).toBeUndefined();
    expect(bench.errors.slice(errors)).toEqual([]);
    await first.removeApp(spec.appId, SIGNAL);
    for (const path of ['/apis/storage.k8s.io/v1/storageclasses', '/api/v1/persistentvolumes']) {
      await bench.deps.api.call('DELETE', `${path}/${storageClass}`, { signal: SIGNAL });
    }
  });

  it('runs builds of one owner at the same time, each in a builder of its own', async () => {
    const first = await bench.source(['RUN sleep 3', CMD]);
    const second = await bench.source(['RUN sleep 3 && echo second', CMD]);
    await Promise.all([build(first), build(second)]);
    expect(await buildersOf(first)).toHaveLength(2);
    for (const { appId } of [first, second]) await engine.removeApp(appId, SIGNAL);
  });

  it('removes images from the registry with their last release', async () => {
    const first = await bench.source([CMD]);
    const second = { ...first, number: 2 };
    await build(first);
    await engine.reuseBuild(second, 1, SIGNAL);
    await engine.pruneReleases(first.appId, [2], SIGNAL);
    expect(await tagsOf(first)).toEqual([`${first.appId}-1`]);
    await engine.pruneReleases(first.appId, [], SIGNAL);
    expect(await tagsOf(first)).toEqual([]);
    await engine.removeApp(first.appId, SIGNAL);
  });

  it('removes the namespace of builds with the last app of its owner, also after failed builds', async () => {
    const ownerId = crypto.randomUUID();
    const built = await bench.source([CMD], { ownerId });
    const failed = await bench.source(['RUN exit 1'], { ownerId });
    await build(built);
    await expect(build(failed)).rejects.toMatchObject({ reason: 'build-failed' });
    expect(await engine.listApps(SIGNAL)).toContain(failed.appId);
    await engine.removeApp(built.appId, SIGNAL);
    expect(await read(namespaceFor(built))).toMatchObject({ status: { phase: 'Active' } });
    await engine.removeApp(failed.appId, SIGNAL);
    const gone = () => read(namespaceFor(built)).then(undefined, ({ status }) => status);
    await expect.poll(gone, { timeout: 60_000 }).toBe(404);
  });

  it('removes builders that a killed server left, and those without work', async () => {
    const spec = await bench.source([CMD]);
    await build(spec);
    expect(await buildersOf(spec)).toHaveLength(1);
    const limits = { ...bench.deps.limits, builderIdleMs: 1_000 };
    const next = await engineWith({ limits });
    await expect.poll(() => buildersOf(spec), { timeout: 60_000 }).toEqual([]);
    await build({ ...spec, number: 2 }, next);
    await expect.poll(() => buildersOf(spec), { timeout: 60_000 }).toEqual([]);
    await next.removeApp(spec.appId, SIGNAL);
  });

  it('fails with build-timed-out of a build that takes too long, and ends its builder', async () => {
    const impatient = await engineWith({ limits: { ...bench.deps.limits, buildMs: 5_000 } });
    const spec = await bench.source(['RUN echo waiting && sleep 1000']);
    await expect(build(spec, impatient)).rejects.toMatchObject({ reason: 'build-timed-out' });
    expect(await buildersOf(spec)).toEqual([]);
    await impatient.removeApp(spec.appId, SIGNAL);
  });

  it('fails with build-out-of-memory of a build that needs more than it gets', async () => {
    const limits = { ...bench.deps.limits, buildMemoryBytes: 256 * 1024 ** 2 };
    const small = await engineWith({ limits });
    const spec = await bench.source(['RUN head -c 900000000 /dev/zero | busybox tail'], {
      ownerId: crypto.randomUUID(),
    });
    await expect(build(spec, small)).rejects.toMatchObject({ reason: 'build-out-of-memory' });
    await small.removeApp(spec.appId, SIGNAL);
  });

  it('fails with builder-image-missing if the cluster cannot pull the builder', async () => {
    const builderImage = `${bench.registry.host}/missing:1`;
    const other = await engineWith({ builderImage });
    const spec = await bench.source([CMD], { ownerId: crypto.randomUUID() });
    await expect(build(spec, other)).rejects.toMatchObject({
      reason: 'builder-image-missing',
      evidence: [`LONGSHORE_BUILDER_IMAGE is ${builderImage}`],
    });
    await other.removeApp(spec.appId, SIGNAL);
  });

  it('fails with not-offered without a registry', async () => {
    const registries = { ...bench.deps.registries, registry: undefined };
    const other = await engineWith({ registries });
    const spec = await bench.source([CMD]);
    await expect(build(spec, other)).rejects.toMatchObject({ reason: 'not-offered' });
  });

  it('refuses to run the release of another account as an image', async () => {
    const spec = await bench.source([CMD]);
    await build(spec);
    const image = `${bench.registry.host}/longshore-${spec.ownerId}:${spec.appId}-1`;
    const thief = { ...spec, ownerId: crypto.randomUUID(), appId: crypto.randomUUID() };
    const stealing = build({ ...thief, origin: { kind: 'image', image } });
    await expect(stealing).rejects.toMatchObject({ reason: 'source-not-allowed' });
    await engine.removeApp(spec.appId, SIGNAL);
  });
});
