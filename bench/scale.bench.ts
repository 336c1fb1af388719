import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AppValues, AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { processesOf } from '../e2e/support/app-processes.ts';
import { freePort } from '../e2e/support/free-port.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { postgresOf } from './support/bare-postgres.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startLongshore } from './support/longshore.ts';
import { memoryOf } from './support/memory.ts';
import { cpuMs, processesIn, processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { NODE } from './support/start-command.ts';
import { requestTinyApp, TINY_APP, waitForTinyApp } from './support/tiny-app.ts';
import { waitUntil } from './support/wait-until.ts';

const INSTANCES = 10;
const BASE_DOMAIN = 'localhost';
const POLL_MS = 25;
const QUIET_MS = 5_000;
const WATCH_MS = 10_000;

/** From one instance to ten under requests, and what each of them costs the server and the edge while idle. */
await runBenchmark('scale', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const dataDir = join(folder, 'data');
  const repository = join(folder, 'tiny');
  const url = await makeRepository(repository, TINY_APP);
  const longshore = await startLongshore(dataDir, scope);
  const user = await signUp(longshore.url, 'ada@example.com');
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const values = appValues(projectId, url);
  const id = await user.insert('app', values);
  // Apps outlive the server, so they are deleted before it stops.
  scope.defer(() => remove(id, user));
  const host = autoDomain({ id, name: values.name }, BASE_DOMAIN);
  await waitForTinyApp(longshore.ingressPort, host);
  await waitUntilSynced(id, user);
  const platform = () => {
    const database = processTreeOf(postgresOf(longshore.pid));
    const server = processTreeOf(longshore.pid).filter((pid) => !database.includes(pid));
    const apps = new Set(appPids);
    return [...server, ...processesIn(join(dataDir, 'edge'))].filter((pid) => !apps.has(pid));
  };
  let appPids = await processesOf(id);
  const one = await watchIdle(platform);

  const requests = { sent: 0, failed: 0, isOver: false };
  const seen = new Set<number>();
  const startedAt = performance.now();
  const load = sendRequests(longshore.ingressPort, host, { requests, seen });
  await user.update(id, { ...values, replicas: INSTANCES });
  await waitUntil('all instances answer', 1, () => (seen.size >= INSTANCES ? true : undefined));
  const scaledMs = performance.now() - startedAt;
  await waitUntilSynced(id, user);
  requests.isOver = true;
  await load;
  const bareMs = await startBareProcesses(repository, scope);

  appPids = await processesOf(id);
  const all = await watchIdle(platform);
  const perInstance = (difference: number) => difference / (INSTANCES - 1);
  const instance = { memory: memoryOf(appPids), cpu: cpuMs(appPids) };
  await delay(WATCH_MS);
  const instanceCpu = ((cpuMs(appPids) - instance.cpu) / WATCH_MS) * 100;
  return [
    {
      name: `1 to ${INSTANCES} instances, until all answer`,
      unit: 'ms',
      value: scaledMs,
      baseline: { name: `${INSTANCES - 1} processes started at once`, value: bareMs },
    },
    {
      name: `  failed of ${requests.sent} requests meanwhile`,
      unit: '%',
      value: (requests.failed / requests.sent) * 100,
      budget: 0,
    },
    {
      name: 'memory of server and edge per instance, PSS',
      unit: 'MB',
      value: perInstance((all.memory.pssMb ?? 0) - (one.memory.pssMb ?? 0)),
      baseline: { name: 'an instance', value: (instance.memory.pssMb ?? 0) / INSTANCES },
    },
    {
      name: 'CPU of server and edge per idle instance',
      unit: '%',
      value: perInstance(all.cpu - one.cpu),
      baseline: { name: 'an idle instance', value: instanceCpu / INSTANCES },
    },
  ];
});

type Watched = { requests: { sent: number; failed: number; isOver: boolean }; seen: Set<number> };

/** One after the other. `seen`: the start times of the instances that answered. */
async function sendRequests(port: number, host: string, { requests, seen }: Watched) {
  while (!requests.isOver) {
    requests.sent += 1;
    const response = await requestTinyApp(port, host);
    if (response === undefined) requests.failed += 1;
    else seen.add(response.spawnedAt);
  }
}

async function startBareProcesses(folder: string, scope: Scope): Promise<number> {
  const ports = await Promise.all(Array.from({ length: INSTANCES - 1 }, () => freePort()));
  const startedAt = performance.now();
  const children = ports.map((port) => {
    const env = { PORT: String(port) };
    return spawn(NODE, [join(folder, 'server.js')], { env, stdio: 'ignore' });
  });
  scope.defer(() => void children.map((child) => child.kill('SIGKILL')));
  await Promise.all(ports.map((port) => waitForTinyApp(port)));
  const tookMs = performance.now() - startedAt;
  for (const child of children) child.kill('SIGKILL');
  return tookMs;
}

async function watchIdle(find: () => number[]) {
  await delay(QUIET_MS);
  const pids = find();
  const before = cpuMs(pids);
  await delay(WATCH_MS);
  return { memory: memoryOf(pids), cpu: ((cpuMs(pids) - before) / WATCH_MS) * 100 };
}

async function waitUntilSynced(id: string, user: BenchUser): Promise<void> {
  await waitUntil('the app is synced', POLL_MS, async () =>
    (await user.statusOf(id)) === 'synced' ? true : undefined,
  );
}

async function remove(id: string, user: BenchUser): Promise<void> {
  await user.delete(id);
  await waitUntil('the app is deleted', POLL_MS, async () =>
    (await processesOf(id)).length === 0 ? true : undefined,
  );
}

function appValues(projectId: string, url: string): AppValues {
  return {
    name: 'tiny',
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: BASE_DOMAIN },
    container: { image: '', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url, ref: 'main', secretName: '' },
    env: {},
    instances: 1,
  };
}
