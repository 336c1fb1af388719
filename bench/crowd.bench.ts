import { availableParallelism } from 'node:os';
import { databaseOf } from './support/bare-postgres.ts';
import { startBareServer } from './support/bare-server.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/folder.ts';
import { type Load, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { passwordHashOf } from './support/password-hash.ts';
import { emailOf, listOf, refreshesOf, signInsOf, signUpMany } from './support/people.ts';
import { PASSWORD } from './support/person.ts';
import { startRawArgon2 } from './support/raw-argon2.ts';
import { percentile } from './support/statistics.ts';

const PEOPLE = 16;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const PAUSE_MS = 10;
const SHARE = 0.99;

/** What is asked beside the crowd, and the least that takes the same way. */
const ASKED = [
  { name: 'health', floor: 'bare Hono' },
  { name: 'GraphQL list', floor: 'bare Hono, one row read' },
  { name: 'refresh of a session', floor: 'bare Hono, one row updated' },
];

type Latencies = Record<'idle' | 'idleFloor' | 'busy' | 'busyFloor', number[][]>;

await runBenchmark('crowd', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const people = await signUpMany(longshore.url, PEOPLE);
  const [first] = people;
  if (first === undefined) throw new RangeError('Nobody has signed up');
  const { port, pid } = longshore;
  const crowd = await startLoad({ port, callers: signInsOf(people), pauseMs: 0 }, scope);
  const health = { method: 'GET', path: '/healthz' } as const;
  const asking = await startLoad(
    { port, callers: [health, listOf(first), refreshesOf(first)], pauseMs: PAUSE_MS },
    scope,
  );
  const passwordHash = await passwordHashOf(pid, emailOf(0));
  const threads = availableParallelism();
  const rawCrowd = await startRawArgon2({ threads, passwordHash, password: PASSWORD }, scope);
  const bare = await startBareServer(databaseOf(pid), 1, scope);
  const bareAsking = await startLoad(
    {
      port: bare.port,
      callers: [
        { method: 'GET', path: '/' },
        { method: 'GET', path: '/row' },
        { method: 'POST', path: '/row', body: { id: 0 } },
      ],
      pauseMs: PAUSE_MS,
    },
    scope,
  );

  const latencies: Latencies = { idle: [], idleFloor: [], busy: [], busyFloor: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const measured = {
      idleFloor: await latenciesOf(bareAsking),
      idle: await latenciesOf(asking),
      busyFloor: await beside(rawCrowd, bareAsking),
      busy: await beside(crowd, asking),
    };
    // The first round is for warming up.
    if (round < 0) continue;
    for (const [kind, found] of Object.entries(measured)) {
      latencies[kind as keyof Latencies].push(...found);
    }
  }
  return ASKED.flatMap(({ name, floor }, number) => rows(name, floor, number, latencies));
});

async function latenciesOf(load: Load): Promise<number[][]> {
  return (await load.run(ROUND_MS)).latenciesMs;
}

/** What is asked while a crowd keeps the processors busy. */
async function beside(crowd: Crowd, asking: Load): Promise<number[][]> {
  const [latenciesMs] = await Promise.all([latenciesOf(asking), crowd.run(ROUND_MS)]);
  return latenciesMs;
}

type Crowd = { run(forMs: number): Promise<unknown> };

function rows(name: string, floor: string, number: number, latencies: Latencies): Measurement[] {
  const p99 = (kind: keyof Latencies) =>
    percentile(latencies[kind].filter((_, at) => at % ASKED.length === number).flat(), SHARE);
  return [
    {
      name: `${name}, 99 in 100`,
      unit: 'ms',
      value: p99('idle'),
      floor: { name: floor, value: p99('idleFloor') },
    },
    {
      name: '  while sign-ins keep every processor busy',
      unit: 'ms',
      value: p99('busy'),
      floor: { name: `${floor}, beside verified passwords`, value: p99('busyFloor') },
    },
  ];
}
