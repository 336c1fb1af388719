import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AUTO_DOMAIN, autoDomain, SERVICE_PATHS } from '@longshore/contract';
import { canRunDocker, startDockerTestEnvironment } from '@longshore/server/testing/docker';
import { createLogFiles } from '@longshore/server/testing/log-files';
import { createLogStore } from '@longshore/server/testing/log-store';
import { makeRepository } from '../e2e/support/repository.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { constantLogApp } from './support/constant-log-app.ts';
import { diskMb } from './support/disk-usage.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf } from './support/memory.ts';
import type { Scope } from './support/scope.ts';
import { percentile } from './support/statistics.ts';
import { waitForTinyApp } from './support/tiny-app.ts';
import { waitUntil } from './support/wait-until.ts';

const LINE = 'x'.repeat(96);
const BATCH_LINES = 1_000;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const NOISY_LINES_PER_SECOND = 50_000;
const WARM_MS = 3_000;
const WATCH_MS = 10_000;
const REQUESTS = 20;

await runBenchmark('logs', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const logStore = await measureLogStore(folder);
  const processes = await measureEngine('processes', join(folder, 'processes'), { scope, env: {} });
  if (!canRunDocker) return [logStore, ...processes];
  const docker = await startDockerTestEnvironment();
  scope.defer(docker.stop);
  const containers = await measureEngine('Docker', join(folder, 'docker'), {
    scope,
    env: docker.env,
  });
  return [logStore, ...processes, ...containers];
});

/** The log store alone, compared with the disk alone. */
async function measureLogStore(folder: string): Promise<Measurement> {
  const clock = { now: () => Date.now() };
  const store = createLogStore({
    storage: createLogFiles(join(folder, 'logs')),
    clock,
    secretsOf: secrets,
  });
  const rate = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: linesPerSecond(async () => {
      for (let line = 0; line < BATCH_LINES; line += 1) store.append('app', 'app-app-1', LINE);
      await store.waitForRoom('app');
    }),
    baseline: linesPerSecond(() =>
      writeFile(join(folder, 'baseline'), `${LINE}\n`.repeat(BATCH_LINES)),
    ),
  });
  await store.close();
  const baseline = { name: 'the same bytes written to a file', value: rate.baseline };
  return {
    name: 'lines of 96 characters stored, one app',
    unit: '/s',
    value: rate.value,
    baseline,
  };
}

async function secrets(): Promise<string[]> {
  return ['a-password-of-the-app', 'a-token-of-the-app'];
}

function linesPerSecond(storeBatch: () => Promise<void>) {
  return async (forMs: number): Promise<number> => {
    const startedAt = performance.now();
    let batches = 0;
    for (; performance.now() - startedAt < forMs; batches += 1) await storeBatch();
    return ((batches * BATCH_LINES) / (performance.now() - startedAt)) * 1_000;
  };
}

/** An app that logs constantly and a quiet app beside it, on the real server. */
async function measureEngine(
  engine: string,
  folder: string,
  { scope, env }: { scope: Scope; env: Record<string, string> },
): Promise<Measurement[]> {
  const dataDir = join(folder, 'data');
  await mkdir(folder);
  const longshore = await startLongshore(dataDir, scope, env);
  const user = await signUp(longshore.url, 'ada@example.com');
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const target = { longshore, user, projectId, folder, dataDir };
  const quiet = await deploy('quiet', 0, target);
  const before = memoryOf([longshore.pid]).rssMb;
  const noisy = await deploy('noisy', NOISY_LINES_PER_SECOND, target);
  try {
    const results = await watch(noisy, quiet, longshore);
    const addedMb = memoryOf([longshore.pid]).rssMb - before;
    const storedMb = await diskMb(dataDir, ['logs', 'records']);
    return [...rows(engine, results), ...costs(addedMb, storedMb)];
  } finally {
    await Promise.all([quiet.remove(), noisy.remove()]);
    await longshore.stop();
  }
}

type LogResults = { stored: number; printed: number; latenciesMs: number[] };

async function watch(
  noisy: LoggingApp,
  quiet: LoggingApp,
  longshore: Longshore,
): Promise<LogResults> {
  await delay(WARM_MS);
  const first = await noisy.newest();
  const latenciesMs = await requestLatencies(quiet, longshore);
  await delay(Math.max(0, WATCH_MS - (performance.now() - first.at)));
  const last = await noisy.newest();
  const seconds = (last.at - first.at) / 1_000;
  return {
    stored: (last.sequence - first.sequence) / seconds,
    printed: (last.printed - first.printed) / seconds,
    latenciesMs,
  };
}

function rows(engine: string, { stored, printed, latenciesMs }: LogResults): Measurement[] {
  return [
    {
      name: `${engine}: lines of a noisy app, stored`,
      unit: '/s',
      value: stored,
      baseline: { name: `lines printed, of ${NOISY_LINES_PER_SECOND} attempted`, value: printed },
    },
    {
      name: "  a quiet app's line until read, p95",
      unit: 'ms',
      value: percentile(latenciesMs, 0.95),
    },
  ];
}

function costs(memoryMb: number, storedMb: number): Measurement[] {
  return [
    { name: '  additional server memory', unit: 'MB', value: memoryMb },
    { name: '  on disk, output and log', unit: 'MB', value: storedMb },
  ];
}

type DeployTarget = {
  longshore: Longshore;
  user: BenchUser;
  projectId: string;
  folder: string;
  dataDir: string;
};

type LoggingApp = Awaited<ReturnType<typeof deploy>>;

async function deploy(name: string, lines: number, target: DeployTarget) {
  const { longshore, user, projectId, folder, dataDir } = target;
  const id = await user.insert('app', {
    name,
    projectId,
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: 'localhost' },
    source: {
      enabled: true,
      url: await makeRepository(join(folder, name), constantLogApp(lines)),
      ref: 'main',
      secretName: '',
    },
  });
  const host = autoDomain({ id, name }, 'localhost');
  await waitForTinyApp(longshore.ingressPort, host);
  const read = (request: object) =>
    readLines(longshore, user, { projectId, appId: id, ...request });
  return {
    host,
    read,
    /** Waits until its log is deleted, which is the last step. */
    async remove() {
      await user.delete(id);
      const log = join(dataDir, 'logs', id);
      await waitUntil(`${name} is deleted`, 50, () => (existsSync(log) ? undefined : true));
    },
    /** The newest line with its number and the count printed so far. */
    async newest() {
      const lines = await read({ tailLines: 20, kind: 'app' });
      const line = lines.findLast(({ text }) => /^\d/.test(text));
      const printed = Number.parseInt(line?.text ?? '', 10);
      return { at: performance.now(), sequence: line?.sequence ?? 0, printed };
    },
  };
}

async function requestLatencies(
  { host, read }: LoggingApp,
  { ingressPort }: Longshore,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let number = 0; number < REQUESTS; number += 1) {
    const startedAt = performance.now();
    await waitForTinyApp(ingressPort, host, `/request-${number}`);
    await waitUntil('the log line of a request', 5, async () => {
      const lines = await read({ tailLines: 5 });
      return lines.some(({ text }) => text === `/request-${number}`) || undefined;
    });
    tookMs.push(performance.now() - startedAt);
  }
  return tookMs;
}

async function readLines(
  { url }: Longshore,
  { accessToken }: BenchUser,
  request: object,
): Promise<{ sequence: number; text: string }[]> {
  const response = await fetch(`${url}${SERVICE_PATHS.logs[0]}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/x-ndjson',
      Authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}
