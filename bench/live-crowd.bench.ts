import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, postgresOf } from './support/bare-postgres.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/folder.ts';
import { startLongshore } from './support/longshore.ts';
import { memoryOf } from './support/memory.ts';
import { type Person, signUp } from './support/person.ts';
import { cpuMs, familyOf } from './support/processes.ts';
import type { Scope } from './support/scope.ts';
import { percentile } from './support/statistics.ts';
import { LIVE_QUERIES, openWatcher, type Watcher } from './support/watcher.ts';

const PEOPLE = 200;
const ROWS = 10_000;
const CHANGES = 400;
const QUIET_MS = 10_000;
const WATCH_MS = 20_000;
const BUDGET_MS = 50;
const BUDGET_CPU = 1;
/** Hasura asks its database anew every so often, however little changes. */
const POLL = { name: 'Hasura’s time from poll to poll', value: 1_000 };

await runBenchmark('live-crowd', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const server = familyOf(longshore.pid).filter((pid) => !postgres().includes(pid));
  const database = await openDatabase(longshore.pid, scope);
  const people = await signUpAll(longshore.url);
  await insertRows(database, people);

  await delay(QUIET_MS);
  const before = memoryOf(server).pssMb;
  const watchers = await watchAll(longshore.url, people, scope);
  await delay(QUIET_MS);
  const after = memoryOf(server).pssMb;

  const everything = [...server, ...postgres()];
  const usedBefore = cpuMs(everything);
  await delay(WATCH_MS);
  const restCpu = ((cpuMs(everything) - usedBefore) / WATCH_MS) * 100;

  const latencies = await changeRows(database, people, watchers);
  const queries = PEOPLE * LIVE_QUERIES.length;
  const latency = (name: string, share: number) =>
    ({ name, unit: 'ms', value: percentile(latencies, share), floor: POLL }) as const;
  return [
    { ...latency('change to frame, half of them', 0.5) },
    { ...latency('change to frame, 95 in 100', 0.95), budget: BUDGET_MS },
    { ...latency('change to frame, 99 in 100', 0.99) },
    {
      name: `memory of a live query, of ${queries} open`,
      unit: 'kB',
      value: ((after - before) / queries) * 1_000,
    },
    {
      name: `processor at rest, ${queries} live queries`,
      unit: '%',
      value: restCpu,
      budget: BUDGET_CPU,
    },
  ];

  function postgres(): number[] {
    return familyOf(postgresOf(longshore.pid));
  }
});

async function openDatabase(serverPid: number, scope: Scope): Promise<pg.Client> {
  const client = new pg.Client(databaseOf(serverPid));
  await client.connect();
  scope.defer(() => client.end());
  return client;
}

async function signUpAll(url: string): Promise<Person[]> {
  const people: Person[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    people.push(await signUp(url, `person-${number}@example.com`));
  }
  return people;
}

async function insertRows(database: pg.Client, people: Person[]): Promise<void> {
  await database.query(
    `insert into public.resources (user_id, chart_name, chart_version, values, status)
     select owner::uuid, 'project', '0.0', jsonb_build_object('userId', owner, 'name', 'Row ' || number), 'synced'
     from unnest($1::text[]) owner, generate_series(1, $2) number`,
    [people.map(({ id }) => id), ROWS / PEOPLE],
  );
}

async function watchAll(url: string, people: Person[], scope: Scope): Promise<Watcher[]> {
  const watchers: Watcher[] = [];
  for (const person of people) {
    const watcher = await openWatcher(url, person);
    scope.defer(watcher.stop);
    watchers.push(watcher);
  }
  return watchers;
}

/** From just before a row is changed, so the time to store it counts too. */
async function changeRows(
  database: pg.Client,
  people: Person[],
  watchers: Watcher[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (let number = 0; number < CHANGES; number += 1) {
    // Far from its neighbour, as in life.
    const at = (number * 77) % PEOPLE;
    const text = `change ${number} of many`;
    const shown = watchers[at]?.shows(text);
    const begunAt = performance.now();
    await database.query(
      'update public.resources set message = $2 where id = (select id from public.resources where user_id = $1 limit 1)',
      [people[at]?.id, text],
    );
    await shown;
    latencies.push(performance.now() - begunAt);
  }
  return latencies;
}
