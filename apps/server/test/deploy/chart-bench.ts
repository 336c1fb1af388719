import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { S3Settings } from '../../src/storage/s3-store.ts';
import type { Registry } from '../engines/docker/registry.ts';
import { BUILDER_IMAGE } from '../engines/docker/test-images.ts';
import { openTestCluster, type TestCluster } from '../engines/kubernetes/test-cluster.ts';
import { type S3Server, startS3Server } from '../storage/s3-server.ts';
import { openHelm } from './helm-program.ts';
import { buildLongshoreImage } from './longshore-image.ts';
import { POSTGRES_USER, publishPostgresImage } from './postgres-image.ts';

export { missingForCluster } from '../engines/kubernetes/cluster.ts';
export { cutNode, killContainer, pauseApiServer } from '../engines/kubernetes/cluster-outages.ts';
export { canStopPrograms } from '../engines/kubernetes/test-cluster.ts';

/** A cluster in which the chart can be installed, as `longshore` in a namespace of its own. */
export type ChartBench = {
  registry: Pick<Registry, 'host' | 'publish'>;
  kubeconfig: string;
  /** Whether its builders reach the base images of tests. */
  canBuild: boolean;
  /** Of all namespaces of the installation and of tests. */
  prefix: string;
  /** In the namespace of the installation. */
  kubectl(...args: string[]): Promise<string>;
  /** Runs helm on the cluster; returns what it prints. */
  helm(...args: string[]): Promise<string>;
  /** Values for this cluster, in files and arguments. `tag`: one of the two of the image. */
  values(tag: '1' | '2'): string[];
  /** The value `s3` for an object store that starts with the first call. */
  objectStore(): Promise<Record<keyof S3Settings, string>>;
  /** The URL of a Postgres beside the chart, with an empty database. */
  database(): Promise<string>;
  /** The URL of a Service on a node. */
  urlOf(service: string): Promise<string>;
  /** Of several servers, the name of the pod that leads. Undefined while there is none. */
  leader(): Promise<string | undefined>;
  stop(): Promise<void>;
};

const CHART = join(import.meta.dirname, '../../../../deploy/chart');
const SERVER_USER = 10_001;
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const OUTPUT_BYTES = 64 * 1024 ** 2;
const run = promisify(execFile);

export async function createChartBench(): Promise<ChartBench> {
  const program = await openHelm();
  const cluster = await openTestCluster();
  const { registry, kubectl, kubeconfig } = cluster;
  const folder = await mkdtemp(join(tmpdir(), 'longshore-chart-'));
  // Others may have installed the chart in a cluster that they name.
  const prefix = `test${randomBytes(3).toString('hex')}`;
  const namespace = `${prefix}-console`;
  let store: S3Server | undefined;
  const stop = async () => {
    if (!cluster.isOwn) await clean(kubectl, prefix);
    await cluster.stop();
    await store?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await buildLongshoreImage(registry, 'longshore:1');
    await addTag(registry.host, 'longshore', '1', '2');
    await publishPostgresImage(registry, { name: 'postgres:18', dataDir: folder });
    if (!(await hasStorage(kubectl))) await createVolumes(kubectl, { folder, namespace, prefix });
    const values = join(folder, 'values.json');
    await writeFile(values, JSON.stringify(valuesFor(cluster, prefix)));
    // Helm writes caches there.
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    return {
      registry,
      kubeconfig,
      canBuild: cluster.mirror !== undefined,
      prefix,
      kubectl: (...args) => kubectl('--namespace', namespace, ...args),
      async helm(command, ...args) {
        const access = ['--kubeconfig', kubeconfig, '--namespace', namespace];
        const options = { env, maxBuffer: OUTPUT_BYTES };
        return (await run(program, [command ?? '', ...access, ...args], options)).stdout;
      },
      values: (tag) => [CHART, '--values', values, '--set-string', `image.tag=${tag}`],
      async objectStore() {
        // Pods reach the address of the registry.
        store ??= await startS3Server({ host: registry.host.replace(/:\d+$/, '') });
        const { secretAccessKey, ...settings } = store.settings;
        return { ...settings, secretAccessKey: secretAccessKey.reveal() };
      },
      async database() {
        const pod = join(folder, 'postgres.json');
        const password = randomBytes(12).toString('hex');
        await writeFile(pod, JSON.stringify(postgresPod(registry.host, password)));
        const inNamespace = ['--namespace', namespace];
        await kubectl('apply', '-f', pod, ...inNamespace);
        const ready = ['--for=condition=Ready', '--timeout=180s'];
        await kubectl('wait', 'pod/postgres', ...ready, ...inNamespace);
        const address = ['-o', 'jsonpath={.status.podIP}'];
        const host = await kubectl('get', 'pod', 'postgres', ...address, ...inNamespace);
        return `postgres://longshore:${password}@${host}/longshore`;
      },
      async urlOf(service) {
        const port = ['-o', 'jsonpath={.spec.ports[0].nodePort}'];
        const address = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}';
        const host = await kubectl('get', 'nodes', '-o', address);
        const found = await kubectl('--namespace', namespace, 'get', 'service', service, ...port);
        return `http://${host}:${found}`;
      },
      async leader() {
        const template =
          '-o=jsonpath={range .items[*]}{.status.podIP} {.metadata.name}{"\\n"}{end}';
        const pods = await kubectl('--namespace', namespace, 'get', 'pods', template);
        const addresses = new Map(
          pods.split('\n').map((line) => line.split(' ') as [string, string]),
        );
        const address = [...addresses].find(([, name]) => name === 'longshore-postgres-0')?.[0];
        const secret = ['get', 'secret', 'longshore-keys', '-o=jsonpath={.data.postgres-password}'];
        const password = atob(await kubectl('--namespace', namespace, ...secret));
        const found = await leaderAddress(`postgres://longshore:${password}@${address}/longshore`);
        return addresses.get(found ?? '');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address of the session that has the lock of the leader. */
async function leaderAddress(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string }>(
      `select host(client_addr) as address from pg_stat_activity join pg_locks using (pid)
      where application_name = 'longshore leader' and locktype = 'advisory' and granted`,
    );
    return rows[0]?.address;
  } finally {
    await client.end();
  }
}

/** Everything that an installation and its apps have left in a cluster of others. */
async function clean(kubectl: TestCluster['kubectl'], prefix: string): Promise<void> {
  // First: the servers in it create others.
  await kubectl('delete', 'namespace', `${prefix}-console`, '--ignore-not-found');
  const kinds = [
    ...['namespaces', 'clusterroles', 'clusterrolebindings', 'persistentvolumes'],
    ...['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ];
  for (const kind of kinds) {
    const names = (await kubectl('get', kind, '-o', 'jsonpath={.items[*].metadata.name}')).split(
      ' ',
    );
    const own = names.filter((name) => name.startsWith(`${prefix}-`));
    if (own.length > 0) await kubectl('delete', kind, ...own, '--ignore-not-found');
  }
}

/** Whether volumes are made when they are asked for. */
async function hasStorage(kubectl: TestCluster['kubectl']): Promise<boolean> {
  const classes = await kubectl('get', 'storageclasses', '-o', 'json');
  return classes.includes('"storageclass.kubernetes.io/is-default-class": "true"');
}

function valuesFor({ registry: { host }, mirror }: TestCluster, namespacePrefix: string) {
  const requests = { cpu: '10m', memory: '64Mi' };
  return {
    publicUrl: 'http://console.test',
    baseDomain: 'apps.test',
    namespacePrefix,
    image: { repository: `${host}/longshore`, pullPolicy: 'Always' },
    settings: {
      LONGSHORE_REGISTRY: host,
      LONGSHORE_REGISTRY_INSECURE: true,
      LONGSHORE_ALLOW_LOCAL_SOURCES: true,
      LONGSHORE_NODE_IMAGE: `${host}/node:24-slim`,
      ...(mirror !== undefined && {
        LONGSHORE_BUILDER_IMAGE: `${mirror}/${BUILDER_IMAGE}`,
        LONGSHORE_REGISTRY_MIRROR: `http://${mirror}`,
      }),
    },
    server: { resources: { requests }, service: { type: 'NodePort' } },
    edge: {
      resources: { requests },
      httpsPort: 0,
      // There is no load balancer.
      leaveSeconds: 1,
      drainSeconds: 10,
      service: { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
    },
    postgres: { image: `${host}/postgres:18`, user: POSTGRES_USER, resources: { requests } },
  };
}

function postgresPod(host: string, password: string) {
  const env = {
    POSTGRES_USER: 'longshore',
    POSTGRES_DB: 'longshore',
    POSTGRES_PASSWORD: password,
    PGDATA: '/data/postgres',
  };
  const volumes = ['data', 'tmp'];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'postgres' },
    spec: {
      securityContext: { fsGroup: POSTGRES_USER },
      volumes: volumes.map((name) => ({ name, emptyDir: {} })),
      containers: [
        {
          name: 'postgres',
          image: `${host}/postgres:18`,
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
          volumeMounts: volumes.map((name) => ({ name, mountPath: `/${name}` })),
          readinessProbe: { tcpSocket: { port: 5432 }, periodSeconds: 1 },
        },
      ],
    },
  };
}

type Volumes = { folder: string; namespace: string; prefix: string };

/** For a cluster without a storage class, whose nodes share the disk of this machine. */
async function createVolumes(
  kubectl: TestCluster['kubectl'],
  { folder, namespace, prefix }: Volumes,
): Promise<void> {
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
        metadata: { name: `${prefix}-${name}` },
        spec: {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          claimRef: { namespace, name },
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
