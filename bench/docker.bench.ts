import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AppValues, AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import {
  type DockerTestEnvironment,
  startDockerTestEnvironment,
} from '@longshore/server/testing/docker';
import { freePort } from '../e2e/support/free-port.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf } from './support/memory.ts';
import { processTreeOf } from './support/processes.ts';
import { median } from './support/statistics.ts';
import { waitUntil } from './support/wait-until.ts';
import { now } from './support/wall-clock.ts';

const RUNS = 5;
const QUIET_MS = 10_000;
const DEPLOY_BUDGET_MS = 2_000;
const WAKE_BUDGET_MS = 300;
const MEMORY_BUDGET_MB = 150;
const BASE_DOMAIN = 'localhost';
const PAUSE_MS = 5;
const PORT = 3000;

type DeployTarget = {
  docker: DockerTestEnvironment;
  longshore: Longshore;
  user: BenchUser;
  projectId: string;
};
type Run = { deployMs: number; wakeMs: number; manual: { deployMs: number; wakeMs: number } };

await runBenchmark('docker', async (scope) => {
  const docker = await startDockerTestEnvironment();
  scope.defer(docker.stop);
  const folder = await benchmarkFolder(scope);
  const longshore = await startLongshore(join(folder, 'data'), scope, docker.env);
  await delay(QUIET_MS);
  const idle = memoryOf(processTreeOf(longshore.pid));
  const user = await signUp(longshore.url, 'ada@example.com');
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const target = { docker, longshore, user, projectId };
  const runs: Run[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const manual = await runManually(`manual-${number}`, docker);
    runs.push({ ...(await deploy(`hello-${number}`, target)), manual });
  }
  return [...measurements(runs), ...memoryRow(idle.uniqueMb)];
});

/** The time of `docker pull` and `docker run`, and of `docker run` alone. */
async function runManually(
  name: string,
  { operator, image }: DockerTestEnvironment,
): Promise<Run['manual']> {
  const startedAt = now();
  await operator.pull(`${image}:latest`);
  await run(`${name}-1`);
  const deployMs = now() - startedAt;
  const wokenAt = now();
  await run(`${name}-2`);
  const wakeMs = now() - wokenAt;
  for (const number of [1, 2]) await operator.removeContainer(`${name}-${number}`);
  await operator.removeImage(`${image}:latest`);
  return { deployMs, wakeMs };

  async function run(container: string): Promise<void> {
    const port = await freePort();
    await operator.run(container, {
      Image: `${image}:latest`,
      Env: [`PORT=${PORT}`],
      ExposedPorts: { [`${PORT}/tcp`]: {} },
      HostConfig: {
        PortBindings: { [`${PORT}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
      },
    });
    await waitForResponse(port, 'localhost');
  }
}

async function deploy(name: string, target: DeployTarget): Promise<Omit<Run, 'manual'>> {
  const { longshore, user } = target;
  const values = appValues(name, target);
  const startedAt = now();
  const id = await user.insert('app', values);
  const host = autoDomain({ id, name }, BASE_DOMAIN);
  await waitForResponse(longshore.ingressPort, host);
  const deployMs = now() - startedAt;
  await waitUntilSynced(id, user);
  await user.update(id, { ...values, instances: 0 });
  await waitUntilSynced(id, user);
  const wokenAt = now();
  await user.update(id, { ...values, instances: 1 });
  await waitForResponse(longshore.ingressPort, host);
  const wakeMs = now() - wokenAt;
  await waitUntilSynced(id, user);
  await user.delete(id);
  return { deployMs, wakeMs };
}

function appValues(name: string, { projectId, docker }: DeployTarget): AppValues {
  return {
    name,
    projectId,
    resourceTier: 't1',
    ports: [{ number: PORT, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: BASE_DOMAIN },
    container: { image: `${docker.image}:latest`, updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: false, url: '', ref: '', secretName: '' },
    env: {},
    instances: 1,
  };
}

async function waitUntilSynced(id: string, user: BenchUser): Promise<void> {
  await waitUntil('the app is synced', PAUSE_MS, async () =>
    (await user.statusOf(id)) === 'synced' ? true : undefined,
  );
}

async function waitForResponse(port: number, host: string): Promise<void> {
  await waitUntil(`${host} responds`, PAUSE_MS, () => request(port, host));
}

function request(port: number, host: string): Promise<true | undefined> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', agent: false, headers: { Host: host } };
    get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? true : undefined);
    }).on('error', () => resolve(undefined));
  });
}

function measurements(runs: Run[]): Measurement[] {
  const medianOf = (pick: (run: Run) => number) => median(runs.map(pick));
  const row = (name: string, key: 'deployMs' | 'wakeMs', baseline: string, budget: number) => {
    const value = medianOf((run) => run[key]);
    const baselineMs = medianOf((run) => run.manual[key]);
    return [
      { name, unit: 'ms', value, baseline: { name: baseline, value: baselineMs } },
      { name: '  overhead above the baseline', unit: 'ms', value: value - baselineMs, budget },
    ] as const;
  };
  return [
    ...row(
      'mutation to public URL responding',
      'deployMs',
      'docker pull and run',
      DEPLOY_BUDGET_MS,
    ),
    ...row('wake to public URL responding', 'wakeMs', 'docker run', WAKE_BUDGET_MS),
  ];
}

function memoryRow(uniqueMb: number | undefined): Measurement[] {
  if (uniqueMb === undefined) return [];
  return [
    {
      name: 'idle memory, shared pages counted once',
      unit: 'MB',
      value: uniqueMb,
      budget: MEMORY_BUDGET_MB,
    },
  ];
}
