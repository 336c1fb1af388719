import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, postgresOf } from './support/bare-postgres.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { LIVE_QUERIES, type LivePage, openLivePage } from './support/live-page.ts';
import { startLongshore } from './support/longshore.ts';
import { memoryOf } from './support/memory.ts';
import { cpuMs, processTreeOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { percentile } from './support/statistics.ts';

const USERS = 200;
const ROWS = 10_000;
const CHANGES = 400;
const QUIET_MS = 10_000;
const WATCH_MS = 20_000;
const BUDGET_MS = 50;
const BUDGET_CPU = 1;
/** Hasura polls its database at this interval. */
const POLL = { name: 'Hasura’s poll interval', value: 1_000 };

await runBenchmark('live-load', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const server = processTreeOf(longshore.pid).filter((pid) => !postgres().includes(pid));
  const database = await openDatabase(longshore.pid, scope);
  const users = await signUpAll(longshore.url);
  await insertRows(database, users);

  await delay(QUIET_MS);
  const before = memoryOf(server).pssMb;
  const livePages = await openLivePages(longshore.url, users, scope);
  await delay(QUIET_MS);
  const after = memoryOf(server).pssMb;

  const pids = [...server, ...postgres()];
  const usedBefore = cpuMs(pids);
  await delay(WATCH_MS);
  const idleCpu = ((cpuMs(pids) - usedBefore) / WATCH_MS) * 100;

  const latencies = await changeRows(database, users, livePages);
  const queries = USERS * LIVE_QUERIES.length;
  const latency = (name: string, share: number) =>
    ({ name, unit: 'ms', value: percentile(latencies, share), baseline: POLL }) as const;
  return [
    { ...latency('change to frame, median', 0.5) },
    { ...latency('change to frame, p95', 0.95), budget: BUDGET_MS },
    { ...latency('change to frame, p99', 0.99) },
    {
      name: `memory per live query, ${queries} open`,
      unit: 'kB',
      value: ((after - before) / queries) * 1_000,
    },
    {
      name: `CPU while idle, ${queries} live queries`,
      unit: '%',
      value: idleCpu,
      budget: BUDGET_CPU,
    },
  ];

  function postgres(): number[] {
    return processTreeOf(postgresOf(longshore.pid));
  }
});

async function openDatabase(serverPid: number, scope: Scope): Promise<pg.Client> {
  const client = new pg.Client(databaseOf(serverPid));
  await client.connect();
  scope.defer(() => client.end());
  return client;
}

async function signUpAll(url: string): Promise<BenchUser[]> {
  const users: BenchUser[] = [];
  for (let number = 0; number < USERS; number += 1) {
    users.push(await signUp(url, `user-${number}@example.com`));
  }
  return users;
}

async function insertRows(database: pg.Client, users: BenchUser[]): Promise<void> {
  await database.query(
    `insert into public.resources (user_id, chart_name, chart_version, values, status)
     select owner::uuid, 'project', '0.0', jsonb_build_object('userId', owner, 'name', 'Row ' || number), 'synced'
     from unnest($1::text[]) owner, generate_series(1, $2) number`,
    [users.map(({ id }) => id), ROWS / USERS],
  );
}

async function openLivePages(url: string, users: BenchUser[], scope: Scope): Promise<LivePage[]> {
  const livePages: LivePage[] = [];
  for (const user of users) {
    const livePage = await openLivePage(url, user);
    scope.defer(livePage.stop);
    livePages.push(livePage);
  }
  return livePages;
}

/** Measured from before the row is changed, so it includes the write. */
async function changeRows(
  database: pg.Client,
  users: BenchUser[],
  livePages: LivePage[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (let number = 0; number < CHANGES; number += 1) {
    // Consecutive changes belong to different users, as in production.
    const index = (number * 77) % USERS;
    const text = `change ${number} of many`;
    const arrived = livePages[index]?.waitForText(text);
    const startedAt = performance.now();
    await database.query(
      'update public.resources set message = $2 where id = (select id from public.resources where user_id = $1 limit 1)',
      [users[index]?.id, text],
    );
    await arrived;
    latencies.push(performance.now() - startedAt);
  }
  return latencies;
}
