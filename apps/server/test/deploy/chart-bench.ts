import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Registry } from '../engines/docker/registry.ts';
import { startCluster } from '../engines/kubernetes/cluster.ts';
import { openHelm } from './helm-program.ts';
import { buildLongshoreImage } from './longshore-image.ts';
import { POSTGRES_USER, publishPostgresImage } from './postgres-image.ts';

export { missingForCluster } from '../engines/kubernetes/cluster.ts';

/** A cluster in which the chart can be installed, as `longshore` in the namespace `console`. */
export type ChartBench = {
  registry: Pick<Registry, 'host' | 'publish'>;
  kubectl(...args: string[]): Promise<string>;
  /** Runs helm on the cluster; returns what it prints. */
  helm(...args: string[]): Promise<string>;
  /** Values for this cluster, in files and arguments. `tag`: one of the two of the image. */
  values(tag: '1' | '2'): string[];
  /** The URL of a Service on a node. */
  urlOf(service: string): Promise<string>;
  stop(): Promise<void>;
};

const CHART = join(import.meta.dirname, '../../../../deploy/chart');
const NAMESPACE = 'console';
const SERVER_USER = 10_001;
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const run = promisify(execFile);

export async function createChartBench(): Promise<ChartBench> {
  const program = await openHelm();
  const cluster = await startCluster();
  const { registry, kubectl, kubeconfig } = cluster;
  const folder = await mkdtemp(join(tmpdir(), 'longshore-chart-'));
  const stop = async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await buildLongshoreImage(registry, 'longshore:1');
    await addTag(registry.host, 'longshore', '1', '2');
    await publishPostgresImage(registry, { name: 'postgres:18', dataDir: folder });
    await createVolumes(kubectl, folder);
    const values = join(folder, 'values.json');
    await writeFile(values, JSON.stringify(valuesFor(registry.host)));
    // Helm writes caches there.
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    return {
      registry,
      kubectl: (...args) => kubectl('--namespace', NAMESPACE, ...args),
      async helm(command, ...args) {
        const access = ['--kubeconfig', kubeconfig, '--namespace', NAMESPACE];
        return (await run(program, [command ?? '', ...access, ...args], { env })).stdout;
      },
      values: (tag) => [CHART, '--values', values, '--set-string', `image.tag=${tag}`],
      async urlOf(service) {
        const port = ['-o', 'jsonpath={.spec.ports[0].nodePort}'];
        const address = '-o=jsonpath={.status.addresses[?(@.type=="InternalIP")].address}';
        const host = await kubectl('get', 'node', 'node1', address);
        const found = await kubectl('--namespace', NAMESPACE, 'get', 'service', service, ...port);
        return `http://${host}:${found}`;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function valuesFor(host: string) {
  const requests = { cpu: '10m', memory: '64Mi' };
  return {
    publicUrl: 'http://console.test',
    baseDomain: 'apps.test',
    image: { repository: `${host}/longshore`, pullPolicy: 'Always' },
    settings: {
      LONGSHORE_REGISTRY: host,
      LONGSHORE_REGISTRY_INSECURE: true,
      LONGSHORE_ALLOW_LOCAL_SOURCES: true,
      LONGSHORE_NODE_IMAGE: `${host}/node:24-slim`,
    },
    server: { resources: { requests }, service: { type: 'NodePort' } },
    edge: {
      resources: { requests },
      httpsPort: 0,
      drainSeconds: 10,
      service: { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
    },
    postgres: { image: `${host}/postgres:18`, user: POSTGRES_USER, resources: { requests } },
  };
}

/** The cluster has no storage class. Its nodes share the disk of this machine. */
async function createVolumes(kubectl: ChartBench['kubectl'], folder: string): Promise<void> {
  const claims: [name: string, user: number][] = [
    ['longshore-server-data', SERVER_USER],
    ['data-longshore-postgres-0', POSTGRES_USER],
  ];
  const items = await Promise.all(
    claims.map(async ([name, user]) => {
      const path = join(folder, name);
      await mkdir(path);
      await chown(path, user, user);
      return {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name },
        spec: {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          claimRef: { namespace: NAMESPACE, name },
          hostPath: { path },
        },
      };
    }),
  );
  const file = join(folder, 'volumes.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  await kubectl('apply', '-f', file);
}

/** Another name for an image, so that an upgrade replaces all pods. */
async function addTag(host: string, name: string, from: string, to: string): Promise<void> {
  const url = `http://${host}/v2/${name}/manifests`;
  const found = await fetch(`${url}/${from}`, { headers: { accept: `${MANIFEST}, ${INDEX}` } });
  const headers = { 'content-type': found.headers.get('content-type') ?? MANIFEST };
  const body = await found.arrayBuffer();
  const { status } = await fetch(`${url}/${to}`, { method: 'PUT', headers, body });
  if (status !== 201) throw new Error(`The registry answered ${status}`);
}
