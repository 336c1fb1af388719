import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AUTO_DOMAIN, autoDomain, SERVICE_PATHS } from '@longshore/contract';
import { canRunDocker, startDockerPlace } from '@longshore/server/testing/docker';
import { createLogStore } from '@longshore/server/testing/log-store';
import { makeRepository } from '../e2e/support/repository.ts';
import { runBenchmark } from './support/benchmark.ts';

import { compareRates } from './support/compare-rates.ts';
import { diskMb } from './support/disk.ts';
import { benchmarkFolder } from './support/folder.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf } from './support/memory.ts';
import { type Person, signUp } from './support/person.ts';
import { restlessApp } from './support/restless-app.ts';
import type { Scope } from './support/scope.ts';
import { percentile } from './support/statistics.ts';
import { tinyAnswer } from './support/tiny-app.ts';
import { waitUntil } from './support/wait-until.ts';

const LINE = 'x'.repeat(96);
const BATCH_LINES = 1_000;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const CHATTY_LINES = 50_000;
const WARM_MS = 3_000;
const WATCH_MS = 10_000;
const VISITS = 20;

await runBenchmark('logs', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const alone = await storing(folder);
  const processes = await chatting('processes', join(folder, 'processes'), { scope, env: {} });
  if (!canRunDocker) return [alone, ...processes];
  const docker = await startDockerPlace();
  scope.defer(docker.stop);
  const containers = await chatting('Docker', join(folder, 'docker'), { scope, env: docker.env });
  return [alone, ...processes, ...containers];
});

/** The store alone, beside the disk alone. */
async function storing(folder: string): Promise<Measurement> {
  const clock = { now: () => Date.now() };
  const store = createLogStore({ folder: join(folder, 'logs'), clock, secretsOf: secrets });
  const rate = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: linesPerSecond(async () => {
      for (let line = 0; line < BATCH_LINES; line += 1) store.append('app', 'app-app-1', LINE);
      await store.waitForRoom('app');
    }),
    floor: linesPerSecond(() => writeFile(join(folder, 'floor'), `${LINE}\n`.repeat(BATCH_LINES))),
  });
  await store.close();
  const floor = { name: 'the same letters written to a file', value: rate.floor };
  return { name: 'lines of 96 letters stored, one app', unit: '/s', value: rate.value, floor };
}

async function secrets(): Promise<string[]> {
  return ['a-password-of-the-app', 'a-token-of-the-app'];
}

function linesPerSecond(store: () => Promise<void>) {
  return async (forMs: number): Promise<number> => {
    const begunAt = performance.now();
    let batches = 0;
    for (; performance.now() - begunAt < forMs; batches += 1) await store();
    return ((batches * BATCH_LINES) / (performance.now() - begunAt)) * 1_000;
  };
}

/** A real app that never falls silent, and a quiet one beside it, on the real server. */
async function chatting(
  engine: string,
  folder: string,
  { scope, env }: { scope: Scope; env: Record<string, string> },
): Promise<Measurement[]> {
  const dataDir = join(folder, 'data');
  await mkdir(folder);
  const longshore = await startLongshore(dataDir, scope, env);
  const person = await signUp(longshore.url, 'ada@example.com');
  const projectId = await person.insert('project', { userId: person.id, name: 'Harbour' });
  const place = { longshore, person, projectId, folder, dataDir };
  const quiet = await deploy('quiet', 0, place);
  const before = memoryOf([longshore.pid]).rssMb;
  const loud = await deploy('loud', CHATTY_LINES, place);
  try {
    const found = await watch(loud, quiet, longshore);
    const grown = memoryOf([longshore.pid]).rssMb - before;
    const kept = await diskMb(dataDir, ['logs', 'records']);
    return [...rows(engine, found), ...costs(grown, kept)];
  } finally {
    await Promise.all([quiet.remove(), loud.remove()]);
    await longshore.stop();
  }
}

type Found = { stored: number; printed: number; visitsMs: number[] };

async function watch(loud: Talking, quiet: Talking, longshore: Longshore): Promise<Found> {
  await delay(WARM_MS);
  const first = await loud.newest();
  const visitsMs = await visitsOf(quiet, longshore);
  await delay(Math.max(0, WATCH_MS - (performance.now() - first.at)));
  const last = await loud.newest();
  const seconds = (last.at - first.at) / 1_000;
  return {
    stored: (last.sequence - first.sequence) / seconds,
    printed: (last.printed - first.printed) / seconds,
    visitsMs,
  };
}

function rows(engine: string, { stored, printed, visitsMs }: Found): Measurement[] {
  return [
    {
      name: `${engine}: lines of an app that never rests, stored`,
      unit: '/s',
      value: stored,
      floor: { name: `what it printed, of ${CHATTY_LINES} it tried`, value: printed },
    },
    {
      name: "  a quiet app's line until read, 95 in 100",
      unit: 'ms',
      value: percentile(visitsMs, 0.95),
    },
  ];
}

function costs(memoryMb: number, keptMb: number): Measurement[] {
  return [
    { name: '  memory of the server above before', unit: 'MB', value: memoryMb },
    { name: '  on the disk, output and log', unit: 'MB', value: keptMb },
  ];
}

type Place = {
  longshore: Longshore;
  person: Person;
  projectId: string;
  folder: string;
  dataDir: string;
};

type Talking = Awaited<ReturnType<typeof deploy>>;

async function deploy(name: string, lines: number, place: Place) {
  const { longshore, person, projectId, folder, dataDir } = place;
  const id = await person.insert('app', {
    name,
    projectId,
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: 'localhost' },
    source: {
      enabled: true,
      url: await makeRepository(join(folder, name), restlessApp(lines)),
      ref: 'main',
      secretName: '',
    },
  });
  const host = autoDomain({ id, name }, 'localhost');
  await tinyAnswer(longshore.ingressPort, host);
  const read = (wish: object) => readLines(longshore, person, { projectId, appId: id, ...wish });
  return {
    host,
    read,
    /** Its log goes last, when nothing of it runs any more. */
    async remove() {
      await person.delete(id);
      const log = join(dataDir, 'logs', id);
      await waitUntil(`${name} is gone`, 50, () => (existsSync(log) ? undefined : true));
    },
    /** The newest line, its number, and how many had been printed with it. */
    async newest() {
      const lines = await read({ tailLines: 20, kind: 'app' });
      const line = lines.findLast(({ text }) => /^\d/.test(text));
      const printed = Number.parseInt(line?.text ?? '', 10);
      return { at: performance.now(), sequence: line?.sequence ?? 0, printed };
    },
  };
}

async function visitsOf({ host, read }: Talking, { ingressPort }: Longshore): Promise<number[]> {
  const tookMs: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const begunAt = performance.now();
    await tinyAnswer(ingressPort, host, `/visit-${visit}`);
    await waitUntil('the line of a visit', 5, async () => {
      const lines = await read({ tailLines: 5 });
      return lines.some(({ text }) => text === `/visit-${visit}`) || undefined;
    });
    tookMs.push(performance.now() - begunAt);
  }
  return tookMs;
}

async function readLines(
  { url }: Longshore,
  { accessToken }: Person,
  wish: object,
): Promise<{ sequence: number; text: string }[]> {
  const response = await fetch(`${url}${SERVICE_PATHS.logs[0]}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/x-ndjson',
      Authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify(wish),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}
