import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppValues } from '@longshore/contract';
import { missingForCluster, startCluster } from '../apps/server/test/engines/kubernetes/cluster.ts';
import { auditLog } from '../apps/server/test/engines/kubernetes/cluster-plan.ts';
import { writeServerAccess } from '../apps/server/test/engines/kubernetes/server-account.ts';
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
const TOKEN = 'token-of-the-benchmark';
const INSERTS_AT_ONCE = 4;
const EDITS = 10;
const QUIET_MS = 10_000;
const WATCH_MS = 30_000;
const POLL_MS = 50;
const DEPLOY_TIMEOUT_MS = 1_800_000;
const RESTART_TIMEOUT_MS = 300_000;

/** The server with the rights of the chart, on a real control plane with simulated nodes. */
await runBenchmark('kubernetes-scale', async (scope) => {
  if (missingForCluster.length > 0) throw new Error(`Missing: ${missingForCluster.join(', ')}`);
  const folder = await benchmarkFolder(scope);
  const cluster = await startCluster(console.log, { hasAudit: true });
  scope.defer(cluster.stop);
  await addSimulatedNodes(cluster, NODES, scope);
  const { kubeconfig } = cluster;
  const access = await writeServerAccess({ kubeconfig, folder, prefix: 'longshore' });
  const image = `${cluster.registry.host}/apps/idle:latest`;
  await cluster.registry.publish({ name: 'apps/idle:latest', settings: { Cmd: ['sleep', '9'] } });
  const env = {
    LONGSHORE_ENGINE: 'kubernetes',
    KUBECONFIG: access,
    LONGSHORE_TRUST_EVERYBODY: 'true',
    LONGSHORE_METRICS_TOKEN: TOKEN,
    LONGSHORE_REGISTRY: cluster.registry.host,
    LONGSHORE_REGISTRY_INSECURE: 'true',
    LONGSHORE_QUOTA_APPS: '0',
    LONGSHORE_QUOTA_MEMORY_MB: '0',
    LONGSHORE_QUOTA_CPU: '0',
    LONGSHORE_QUOTA_DISK_GB: '0',
    LONGSHORE_QUOTA_BUILDS: '4',
  };
  const dataDir = join(folder, 'data');
  const first = await startLongshore(dataDir, scope, env);
  const deploying = await deployApps(await signUp(first.url, 'ada@example.com'), image, first);
  await first.stop();

  const audit = () => readAudit(auditLog({ folder: dirname(kubeconfig) }));
  const before = (await audit()).length;
  const startedAt = performance.now();
  const longshore = await startLongshore(dataDir, scope, env);
  await waitUntilSettled(longshore, RESTART_TIMEOUT_MS);
  const restartMs = performance.now() - startedAt;
  const user = await signIn(longshore.url, 'ada@example.com');
  await waitUntilSynced(deploying.apps, user);
  const restartRequests = (await audit()).slice(before);
  console.log('Requests at the start:', countsOf(restartRequests.map(({ what }) => what)));

  await delay(QUIET_MS);
  const idle = { calls: (await audit()).length, cpu: cpuMs([longshore.pid]) };
  await delay(WATCH_MS);
  const idleRequests = (await audit()).slice(idle.calls);
  console.log('Requests while idle:', countsOf(idleRequests.map(({ what }) => what)));
  const idleCpu = cpuMs([longshore.pid]) - idle.cpu;
  const { rssMb } = memoryOf([longshore.pid]);

  const edits: number[] = [];
  for (const app of deploying.apps.slice(0, EDITS)) {
    const { id, values } = app;
    const editedAt = Date.now();
    await user.update(id, { ...values, env: { EDIT: String(editedAt) } });
    const namespace = `longshore-${values.projectId}`;
    const arrived = await waitUntil('the edit reaches the API server', POLL_MS, async () =>
      (await audit()).find(
        (it) => it.receivedAt >= editedAt && it.namespace === namespace && it.verb !== 'watch',
      ),
    );
    edits.push(arrived.receivedAt - editedAt);
    await waitUntilSettled(longshore, RESTART_TIMEOUT_MS);
    await waitUntilSynced([app], user);
  }
  const size = `${NODES} nodes, ${PROJECTS} projects, ${APPS} apps`;
  return [
    { name: `memory of the server, ${size}, RSS`, unit: 'MB', value: rssMb, budget: 400 },
    {
      name: 'restart until all apps are observed',
      unit: 'ms',
      value: restartMs,
      budget: 60_000,
      baseline: { name: 'until the server is ready', value: longshore.readyMs },
    },
    {
      name: '  requests to the API server per app',
      unit: 'requests',
      value: restartRequests.length / APPS,
    },
    {
      name: 'requests to the API server, idle',
      unit: '/s',
      value: idleRequests.length / (WATCH_MS / 1000),
    },
    { name: 'CPU of the server, idle', unit: '%', value: (idleCpu / WATCH_MS) * 100 },
    { name: 'edit until its first request arrives', unit: 'ms', value: median(edits), budget: 100 },
    { name: 'deployed apps', unit: '/s', value: APPS / (deploying.tookMs / 1000) },
  ];
});

type DeployedApp = { id: string; values: AppValues };

async function deployApps(user: BenchUser, image: string, longshore: Longshore) {
  const startedAt = performance.now();
  const apps: DeployedApp[] = [];
  const projects: string[] = [];
  for (let number = 0; number < PROJECTS; number += 1) {
    projects.push(await user.insert('project', { userId: user.id, name: `Project ${number}` }));
  }
  const insert = async (worker: number) => {
    for (let number = worker; number < APPS; number += INSERTS_AT_ONCE) {
      const values = appValues(projects[number % PROJECTS] ?? '', `app-${number}`, image);
      apps.push({ id: await user.insert('app', values), values });
    }
  };
  await Promise.all(Array.from({ length: INSERTS_AT_ONCE }, (_, worker) => insert(worker)));
  await waitUntilSettled(longshore, DEPLOY_TIMEOUT_MS);
  await waitUntilSynced(apps, user);
  return { apps, tookMs: performance.now() - startedAt };
}

/** No app is reconciled, twice in a row: one may be about to begin. */
async function waitUntilSettled({ url }: Longshore, timeoutMs: number): Promise<void> {
  let quiet = 0;
  const isSettled = async () => {
    quiet = (await reconciling(url)) === 0 ? quiet + 1 : 0;
    return quiet >= 2 ? true : undefined;
  };
  await waitUntil('all apps are settled', POLL_MS, isSettled, timeoutMs);
}

/** One that failed waits for its retry, and is not reconciled meanwhile. */
async function waitUntilSynced(apps: DeployedApp[], user: BenchUser): Promise<void> {
  for (const { id, values } of apps) {
    await waitUntil(`${values.name} is synced`, POLL_MS, async () =>
      (await user.statusOf(id)) === 'synced' ? true : undefined,
    );
  }
}

async function reconciling(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  return Number(/^longshore_reconciling_apps (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
}

function countsOf(values: string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(values, (value) => value));
  return Object.fromEntries(groups.map(([value, found = []]) => [value, found.length]));
}

type AuditedRequest = {
  receivedAt: number;
  verb: string;
  namespace: string | undefined;
  what: string;
};

/** The requests of the server, in the order in which they arrived. */
async function readAudit(path: string): Promise<AuditedRequest[]> {
  type Line = {
    stage: string;
    requestReceivedTimestamp: string;
    verb: string;
    objectRef?: { resource: string; subresource?: string; namespace?: string };
  };
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  const parsed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  return parsed
    .filter(({ stage }) => stage === 'RequestReceived')
    .map(({ requestReceivedTimestamp, verb, objectRef }) => ({
      receivedAt: Date.parse(requestReceivedTimestamp),
      verb,
      namespace: objectRef?.namespace,
      what: [verb, objectRef?.resource, objectRef?.subresource].filter(Boolean).join(' '),
    }));
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
