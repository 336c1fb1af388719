import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { startDockerTestEnvironment } from '@longshore/server/testing/docker';
import { makeRepository } from '../e2e/support/repository.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { heavyBuild, SERVER } from './support/heavy-build.ts';
import { type SteadyResult, startSteadyLoad } from './support/load/start-steady-load.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { median, percentile } from './support/statistics.ts';
import { waitUntil } from './support/wait-until.ts';
import { now } from './support/wall-clock.ts';

const APPS = 2;
const BUILDS = 10;
const REQUESTS_PER_SECOND = 50;
const IDLE_MS = 30_000;
const QUIET_MS = 5_000;
const MAX_P99_RATIO = 3;
const BUILDS_TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 1_000;
const BASE_DOMAIN = 'localhost';
const PORT = 3000;

await runBenchmark('builds-load', async (scope) => {
  const docker = await startDockerTestEnvironment();
  scope.defer(docker.stop);
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope, docker.env);
  const baseImage = docker.env.LONGSHORE_NODE_IMAGE ?? '';
  const small = await makeRepository(join(folder, 'small'), {
    Dockerfile: `FROM ${baseImage}\nCOPY server.js .\nCMD ["node", "server.js"]\n`,
    'server.js': SERVER,
  });
  const heavy = await makeRepository(join(folder, 'heavy'), heavyBuild(baseImage));
  const users: BenchUser[] = [];
  for (let number = 0; number < APPS + BUILDS; number += 1) {
    users.push(await signUp(longshore.url, `ada-${number}@example.com`));
  }
  const hosts: string[] = [];
  for (const user of users.slice(0, APPS)) {
    hosts.push((await deploy(small, user)).host);
  }
  for (const host of hosts) await waitForResponse(longshore, host);
  const setUp = { port: longshore.ingressPort, hosts, perSecond: REQUESTS_PER_SECOND };
  const load = await startSteadyLoad(setUp, scope);
  await delay(QUIET_MS);
  await load.take();
  await delay(IDLE_MS);
  const idle = await load.take();
  const doneMs = await buildAll(heavy, users.slice(APPS));
  const busy = await load.take();
  return [...latencyRows(idle, busy), ...buildRows(doneMs)];
});

async function deploy(url: string, user: BenchUser): Promise<{ id: string; host: string }> {
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const name = 'hello';
  const id = await user.insert('app', {
    name,
    projectId,
    ports: [{ number: PORT, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: BASE_DOMAIN },
    source: { enabled: true, url, ref: 'main', secretName: '' },
  });
  return { id, host: autoDomain({ id, name }, BASE_DOMAIN) };
}

/** The time until each build has ended and its app serves, all started at once. */
async function buildAll(url: string, users: BenchUser[]): Promise<number[]> {
  const startedAt = now();
  const apps = await Promise.all(
    users.map(async (user) => ({ user, ...(await deploy(url, user)) })),
  );
  return await Promise.all(
    apps.map(async ({ user, id }) => {
      await waitUntil(
        'the build has ended',
        POLL_MS,
        () => isDeployed(id, user),
        BUILDS_TIMEOUT_MS,
      );
      return now() - startedAt;
    }),
  );
}

async function isDeployed(id: string, user: BenchUser): Promise<true | undefined> {
  const status = await user.statusOf(id);
  if (status === 'backoff') throw new Error('A build failed');
  return status === 'synced' ? true : undefined;
}

async function waitForResponse({ ingressPort }: Longshore, host: string): Promise<void> {
  const request = () =>
    new Promise<true | undefined>((resolve) => {
      const options = { port: ingressPort, host: '127.0.0.1', agent: false, headers: { host } };
      get(options, (response) => {
        response.resume();
        resolve(response.statusCode === 200 ? true : undefined);
      }).on('error', () => resolve(undefined));
    });
  await waitUntil(`${host} responds`, POLL_MS, request, BUILDS_TIMEOUT_MS);
}

function latencyRows(idle: SteadyResult, busy: SteadyResult): Measurement[] {
  const failures = idle.failures + busy.failures;
  if (failures > 0) throw new Error(`The apps did not serve ${failures} requests`);
  const row = (name: string, share: number) => ({
    name,
    unit: 'ms' as const,
    value: percentile(busy.latenciesMs, share),
    baseline: { name: 'without builds', value: percentile(idle.latenciesMs, share) },
  });
  const p99 = row(`  p99`, 0.99);
  return [
    row(`request to an app during ${BUILDS} builds, median`, 0.5),
    { ...p99, budget: MAX_P99_RATIO * p99.baseline.value },
    row('  p99.9', 0.999),
    row('  slowest', 1),
  ];
}

function buildRows(doneMs: number[]): Measurement[] {
  const row = (name: string, value: number) => ({ name, unit: 'ms' as const, value });
  return [
    row(`${BUILDS} heavy builds at once, first app serves`, Math.min(...doneMs)),
    row('  median', median(doneMs)),
    row('  all', Math.max(...doneMs)),
  ];
}
