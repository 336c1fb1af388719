import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@longshore/edge-contract';
import { createDiskRecords } from '../../../src/engines/disk-records.ts';
import type { ReleaseSpec } from '../../../src/engines/engine.ts';
import { openCluster } from '../../../src/engines/kubernetes/open-cluster.ts';
import {
  type KubernetesEngineDeps,
  type PreparedKubernetesEngine,
  prepareKubernetesEngine,
} from '../../../src/engines/kubernetes/prepare-engine.ts';
import { noSourceCredentials } from '../../../src/engines/source-credentials.ts';
import { NODE_IMAGE, SHELL_IMAGE } from '../docker/base-image.ts';
import type { PublishedImage, Registry } from '../docker/registry.ts';
import { BUILDER_IMAGE } from '../docker/test-images.ts';
import { createFakeLogSink } from '../fake-log-sink.ts';
import { createEngineBench, type EngineBench } from '../process/engine-bench.ts';
import { startMetricsServer } from './metrics-server.ts';
import { openTestCluster, type TestCluster } from './test-cluster.ts';

/** A cluster, and the log lines of its engines. */
export type KubernetesBench = {
  deps: KubernetesEngineDeps;
  /** The access of its administrator. */
  kubeconfig: string;
  registry: Pick<Registry, 'host' | 'publish'>;
  /** Lines as `[name]: text`. */
  lines: string[];
  errors: unknown[];
  /** Whether its builders reach the base images of tests. */
  canBuild: boolean;
  /** Git repositories for apps that are built. */
  repositories: EngineBench;
  engine(changes?: Partial<KubernetesEngineDeps>): Promise<PreparedKubernetesEngine>;
  /** A new app whose Dockerfile has these lines after its FROM line. */
  source(dockerfile: string[], changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec>;
  /** A new app of an image with these parts. */
  spec(
    image: Omit<PublishedImage, 'name'>,
    changes?: Partial<ReleaseSpec>,
  ): Promise<ReleaseSpec & { origin: { kind: 'image' } }>;
  clear(): Promise<void>;
};

export const SIGNAL = new AbortController().signal;
const SIZE = { cpus: 0.5, memoryBytes: 256 * 1024 ** 2, processes: 256 };
const BUILD_MEMORY_BYTES = 1024 ** 3;
const PORTS = [{ number: 3000, expose: true }];

type BenchOptions = {
  /** The cluster measures usage. One that the caller of the tests names does so already, or not. */
  hasMetrics?: boolean;
  /** One that several benches share. Without it, the bench starts and stops its own. */
  shared?: TestCluster;
};

export async function createKubernetesBench({
  hasMetrics = false,
  shared,
}: BenchOptions = {}): Promise<KubernetesBench> {
  const cluster = shared ?? (await openTestCluster());
  const { kubeconfig } = cluster;
  const { api } = await openCluster({ kubeconfig });
  const stopMetrics =
    hasMetrics && cluster.isOwn ? await startMetricsServer({ kubeconfig, api }) : async () => {};
  const { registry } = cluster;
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-home-'));
  await chmod(dataDir, 0o711);
  const repositories = await createEngineBench();
  const lines: string[] = [];
  const errors: unknown[] = [];
  const deps: KubernetesEngineDeps = {
    api,
    dataDir,
    records: createDiskRecords(dataDir),
    installation: randomUUID(),
    namespacePrefix: 'longshore',
    namespace: undefined,
    network: { allowedNetworks: [], edgePorts: [8080] },
    // Also nodes pull it, for the probe of the network.
    nodeImage: `${cluster.mirror === undefined ? registry.host : `${cluster.mirror}/library`}/${NODE_IMAGE}`,
    clock: systemClock,
    logInfo: () => {},
    logs: createFakeLogSink((text, name) => lines.push(`[${name}]: ${text}`)),
    limits: { listenTimeoutMs: 20_000, graceSeconds: 2, buildMemoryBytes: BUILD_MEMORY_BYTES },
    isRoot: process.getuid?.() === 0,
    builderImage:
      cluster.mirror === undefined ? BUILDER_IMAGE : `${cluster.mirror}/${BUILDER_IMAGE}`,
    builderStorageClass: undefined,
    maxBuilders: 2,
    allowLocalSources: true,
    credentials: noSourceCredentials,
    registries: {
      registry: { host: registry.host, path: '', isInsecure: true },
      mirror:
        cluster.mirror === undefined ? undefined : { host: cluster.mirror, isPlainHttp: true },
    },
    logError: (error) => errors.push(error),
  };
  const engines: PreparedKubernetesEngine[] = [];
  return {
    deps,
    kubeconfig: cluster.kubeconfig,
    registry,
    lines,
    errors,
    canBuild: cluster.mirror !== undefined,
    repositories,
    async engine(changes = {}) {
      const created = await prepareKubernetesEngine({ ...deps, ...changes });
      engines.push(created);
      return created;
    },
    async source(dockerfile, changes) {
      const Dockerfile = [`FROM ${SHELL_IMAGE}`, ...dockerfile, ''].join('\n');
      const url = await repositories.repository({ Dockerfile });
      return repositories.spec(url, { size: SIZE, ...changes });
    },
    async spec(image, changes) {
      const appId = randomUUID();
      const name = `apps/${appId}:latest`;
      await registry.publish({ ...image, name });
      return {
        appId,
        ownerId: randomUUID(),
        projectId: randomUUID(),
        name: 'fixture',
        number: 1,
        env: {},
        ports: PORTS,
        size: SIZE,
        ...changes,
        origin: { kind: 'image', image: `${registry.host}/${name}` },
      };
    },
    async clear() {
      const remover = await prepareKubernetesEngine(deps);
      engines.push(remover);
      for (const appId of await remover.listApps(SIGNAL)) await remover.removeApp(appId, SIGNAL);
      await Promise.all(engines.map((engine) => engine.close()));
      await stopMetrics();
      if (cluster !== shared) await cluster.stop();
      await repositories.clear();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
