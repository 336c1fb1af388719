import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppValues,
  OPERATOR_PATHS,
  SERVICE_PATHS,
  type SystemHealth,
} from '@longshore/contract';
import { missingForCluster, startCluster } from '../apps/server/test/engines/kubernetes/cluster.ts';
import { auditLog } from '../apps/server/test/engines/kubernetes/cluster-plan.ts';
import { copyApps } from '../apps/server/test/engines/kubernetes/copy-apps.ts';
import { writeServerAccess } from '../apps/server/test/engines/kubernetes/server-account.ts';
import { freePort } from '../e2e/support/free-port.ts';
import { installKubernetesClient } from '../scripts/steps/install-kubernetes-client.mjs';
import { openAuditLog } from './support/audit-log.ts';
import { type BenchUser, signIn, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { addSimulatedNodes } from './support/kwok.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import { memoryOf } from './support/memory.ts';
import { cpuMs } from './support/processes.ts';
import { median } from './support/statistics.ts';
import { waitUntil } from './support/wait-until.ts';

const { BENCH_NODES = '50', BENCH_APPS = '500', BENCH_PROJECTS = '100' } = process.env;
const [NODES, APPS, PROJECTS] = [Number(BENCH_NODES), Number(BENCH_APPS), Number(BENCH_PROJECTS)];
const EMAIL = 'ada@example.com';
const EDITS = 10;
const QUIET_MS = 20_000;
const WATCH_MS = 30_000;
const POLL_MS = 50;
const PAUSE_MS = 2_000;
const SETTLED_POLL_MS = 1_000;
const START_TIMEOUT_MS = 600_000;

/**
 * The server with the rights of the chart, on a real control plane with simulated nodes. The server deploys one app. The others are
 * copies of it, in the database and in etcd, and a server starts twice: first to take them over, then to be measured.
 */
await runBenchmark('kubernetes-scale', async (scope) => {
  if (missingForCluster.length > 0) throw new Error(`Missing: ${missingForCluster.join(', ')}`);
  await installKubernetesClient({ environment: { LONGSHORE_ENGINE: 'kubernetes' } });
  const folder = await benchmarkFolder(scope);
  const cluster = await startCluster(console.log, { isMeasured: true });
  scope.defer(cluster.stop);
  const logs = await addSimulatedNodes(cluster, NODES, scope);
  const { kubeconfig } = cluster;
  const access = await writeServerAccess({ kubeconfig, folder, prefix: 'longshore' });
  const env = {
    LONGSHORE_ENGINE: 'kubernetes',
    KUBECONFIG: access,
    LONGSHORE_TRUST_EVERYBODY: 'true',
    LONGSHORE_REGISTRY: cluster.registry.host,
    LONGSHORE_REGISTRY_INSECURE: 'true',
    LONGSHORE_QUOTA_APPS: '0',
    LONGSHORE_QUOTA_MEMORY_MB: '0',
    LONGSHORE_QUOTA_CPU: '0',
    LONGSHORE_QUOTA_DISK_GB: '0',
    LONGSHORE_QUOTA_BUILDS: '4',
    // The network policies of projects contain it.
    LONGSHORE_INGRESS_PORT: String(await freePort()),
  };
  const dataDir = join(folder, 'data');
  const image = `${cluster.registry.host}/apps/idle:latest`;
  await cluster.registry.publish({ name: 'apps/idle:latest', settings: { Cmd: ['sleep', '9'] } });
  const audit = openAuditLog(auditLog({ folder: dirname(kubeconfig) }));
  const start = async () => {
    const longshore = await startLongshore(dataDir, scope, env);
    const startedAt = performance.now() - longshore.readyMs;
    const user = await signIn(longshore.url, EMAIL);
    const settledMs = (await waitUntilSettled(longshore, user)) - startedAt;
    return { longshore, settledMs, user };
  };

  const deploying = await startLongshore(dataDir, scope, env);
  const model = await deployModel(await signUp(deploying.url, EMAIL), image, deploying);
  await deploying.stop();
  const copyingAt = performance.now();
  const apps = await copyApps({ cluster, dataDir, model, projects: PROJECTS, apps: APPS });
  console.log(`Copied ${APPS} apps in ${seconds(performance.now() - copyingAt)} s`);
  const first = await start();
  await waitUntilSynced(first.user);
  console.log(`Took them over in ${seconds(first.settledMs)} s`);
  await first.longshore.stop();

  await audit.read();
  const { longshore, settledMs, user } = await start();
  await waitUntilSynced(user);
  const restartRequests = await audit.read();
  console.log('Requests at the start:', countsOf(restartRequests.map(({ what }) => what)));
  await waitUntil(
    'all logs are followed',
    SETTLED_POLL_MS,
    () => (logs.followed() >= APPS ? true : undefined),
    START_TIMEOUT_MS,
  );
  await delay(QUIET_MS);
  await audit.read();
  const cpuBefore = cpuMs([longshore.pid]);
  await delay(WATCH_MS);
  const idleCpu = cpuMs([longshore.pid]) - cpuBefore;
  const idleRequests = await audit.read();
  console.log('Requests while idle:', countsOf(idleRequests.map(({ what }) => what)));
  const { rssMb } = memoryOf([longshore.pid]);

  const edits: number[] = [];
  const answers: number[] = [];
  for (const { id, values } of apps.slice(0, EDITS)) {
    // The list of all apps, which was read to wait, is garbage now.
    await delay(PAUSE_MS);
    const editedAt = Date.now();
    await user.update(id, { ...values, env: { EDIT: String(editedAt) } });
    answers.push(Date.now() - editedAt);
    const namespace = `longshore-${values.projectId}`;
    const arrived = await waitUntil('the edit reaches the API server', POLL_MS, async () =>
      (await audit.read()).find(
        (it) => it.receivedAt >= editedAt && it.namespace === namespace && it.verb !== 'watch',
      ),
    );
    edits.push(arrived.receivedAt - editedAt);
    await waitUntilSettled(longshore, user);
    await waitUntilSynced(user);
  }
  console.log('Edits, in ms:', edits.join(', '), 'and until the response:', answers.join(', '));
  const size = `${NODES} nodes, ${PROJECTS} projects, ${APPS} apps`;
  return [
    { name: `memory of the server, ${size}, RSS`, unit: 'MB', value: rssMb, budget: 400 },
    { name: '  at most since its start', unit: 'MB', value: peakMb(longshore.pid) },
    {
      name: 'restart until all apps are observed',
      unit: 'ms',
      value: settledMs,
      budget: 60_000,
      baseline: { name: 'until the server is ready', value: longshore.readyMs },
    },
    {
      name: '  requests to the API server per project',
      unit: 'requests',
      value: restartRequests.filter(({ what }) => what !== 'get pods log').length / PROJECTS,
    },
    {
      name: 'requests to the API server, idle',
      unit: '/s',
      value: idleRequests.length / (WATCH_MS / 1000),
    },
    { name: 'CPU of the server, idle', unit: '%', value: (idleCpu / WATCH_MS) * 100 },
    { name: 'edit until its first request arrives', unit: 'ms', value: median(edits), budget: 100 },
  ];
});

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

async function deployModel(user: BenchUser, image: string, longshore: Longshore) {
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const values = appValues(projectId, 'app-00000', image);
  const id = await user.insert('app', values);
  await waitUntil('the app is synced', POLL_MS, async () =>
    (await user.statusOf(id)) === 'synced' ? true : undefined,
  );
  await waitUntilSettled(longshore, user);
  return { id, projectId, name: values.name };
}

/** No app is reconciled, twice in a row: one may be about to begin. Returns when that was first the case. */
async function waitUntilSettled({ url }: Longshore, user: BenchUser): Promise<number> {
  let quietSince: number | undefined;
  const isSettled = async () => {
    const readAt = performance.now();
    const isQuiet = (await reconciling(url, user)) === 0;
    const since = quietSince;
    quietSince = isQuiet ? (since ?? readAt) : undefined;
    return isQuiet ? since : undefined;
  };
  return await waitUntil('all apps are settled', SETTLED_POLL_MS, isSettled, START_TIMEOUT_MS);
}

/** One that failed waits for its retry, and is not reconciled meanwhile. */
async function waitUntilSynced(user: BenchUser): Promise<void> {
  let left: string[] = [];
  const isSynced = async () => {
    left = await user.appsNotSynced();
    return left.length === 0 ? true : undefined;
  };
  await waitUntil('all apps are synced', SETTLED_POLL_MS, isSynced, START_TIMEOUT_MS).catch(
    (error: unknown) => {
      throw new Error(`Not synced: ${left.join('; ')}`, { cause: error });
    },
  );
}

/** Not from the metrics: with 10,000 apps, the server needs a third of a second for them. */
async function reconciling(url: string, { accessToken }: BenchUser): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const signal = AbortSignal.timeout(30_000);
  const path = `${SERVICE_PATHS.operator[0]}${OPERATOR_PATHS.health}`;
  const response = await fetch(`${url}${path}`, { headers, signal });
  return ((await response.json()) as SystemHealth).reconciling;
}

function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / 1_000_000;
}

function countsOf(values: string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(values, (value) => value));
  return Object.fromEntries(groups.map(([value, found = []]) => [value, found.length]));
}

function appValues(projectId: string, name: string, image: string): AppValues {
  return {
    name,
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: false, domain: '', baseDomain: 'localhost' },
    container: { image, updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: false, url: '', ref: '', secretName: '' },
    env: {},
    instances: 1,
  };
}
