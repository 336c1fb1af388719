import { availableParallelism } from 'node:os';
import { databaseOf } from './support/bare-postgres.ts';
import { startBareServer } from './support/bare-server.ts';
import { PASSWORD } from './support/bench-user.ts';
import { emailOf, listOf, refreshesOf, signInsOf, signUpMany } from './support/bench-users.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { type Load, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { passwordHashOf } from './support/password-hash.ts';
import { startRawArgon2 } from './support/raw-argon2.ts';
import { percentile } from './support/statistics.ts';

const USERS = 16;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const PAUSE_MS = 10;
const P99 = 0.99;

/** Requests measured while the load runs, and their baselines. */
const PROBES = [
  { name: 'health', baseline: 'plain Hono' },
  { name: 'GraphQL list', baseline: 'plain Hono, one row read' },
  { name: 'session refresh', baseline: 'plain Hono, one row updated' },
];

type Latencies = Record<'idle' | 'idleBaseline' | 'busy' | 'busyBaseline', number[][]>;

await runBenchmark('sign-in-load', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const users = await signUpMany(longshore.url, USERS);
  const [first] = users;
  if (first === undefined) throw new RangeError('No user has signed up');
  const { port, pid } = longshore;
  const load = await startLoad({ port, clients: signInsOf(users), pauseMs: 0 }, scope);
  const health = { method: 'GET', path: '/healthz' } as const;
  const probes = await startLoad(
    { port, clients: [health, listOf(first), refreshesOf(first)], pauseMs: PAUSE_MS },
    scope,
  );
  const passwordHash = await passwordHashOf(pid, emailOf(0));
  const threads = availableParallelism();
  const rawHashing = await startRawArgon2({ threads, passwordHash, password: PASSWORD }, scope);
  const bare = await startBareServer(databaseOf(pid), 1, scope);
  const bareProbes = await startLoad(
    {
      port: bare.port,
      clients: [
        { method: 'GET', path: '/' },
        { method: 'GET', path: '/row' },
        { method: 'POST', path: '/row', body: { id: 0 } },
      ],
      pauseMs: PAUSE_MS,
    },
    scope,
  );

  const latencies: Latencies = { idle: [], idleBaseline: [], busy: [], busyBaseline: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const measured = {
      idleBaseline: await latenciesOf(bareProbes),
      idle: await latenciesOf(probes),
      busyBaseline: await latenciesDuring(rawHashing, bareProbes),
      busy: await latenciesDuring(load, probes),
    };
    // The first round is the warm-up.
    if (round < 0) continue;
    for (const [kind, found] of Object.entries(measured)) {
      latencies[kind as keyof Latencies].push(...found);
    }
  }
  return PROBES.flatMap(({ name, baseline }, number) => rows(name, baseline, number, latencies));
});

async function latenciesOf(load: Load): Promise<number[][]> {
  return (await load.run(ROUND_MS)).latenciesMs;
}

/** Latency of requests while sign-ins use all cores. */
async function latenciesDuring(load: BackgroundLoad, probes: Load): Promise<number[][]> {
  const [latenciesMs] = await Promise.all([latenciesOf(probes), load.run(ROUND_MS)]);
  return latenciesMs;
}

type BackgroundLoad = { run(forMs: number): Promise<unknown> };

function rows(name: string, baseline: string, number: number, latencies: Latencies): Measurement[] {
  const p99 = (kind: keyof Latencies) =>
    percentile(latencies[kind].filter((_, index) => index % PROBES.length === number).flat(), P99);
  return [
    {
      name: `${name}, p99`,
      unit: 'ms',
      value: p99('idle'),
      baseline: { name: baseline, value: p99('idleBaseline') },
    },
    {
      name: '  while sign-ins use every core',
      unit: 'ms',
      value: p99('busy'),
      baseline: { name: `${baseline}, during password hashing`, value: p99('busyBaseline') },
    },
  ];
}
