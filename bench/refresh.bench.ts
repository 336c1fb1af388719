import { databaseOf, postgresOf } from './support/bare-postgres.ts';
import { startBareServer, updatesOf } from './support/bare-server.ts';
import { refreshesOf, signUpMany } from './support/bench-users.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { meter } from './support/load/meter.ts';
import { serverCosts } from './support/load/server-costs.ts';
import { startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';

const USERS = 16;
const ROUNDS = 7;
const ROUND_MS = 4_000;
const WARM_UP_MS = 20_000;
const MIN_RATIO = 0.5;

await runBenchmark('refresh', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const users = await signUpMany(longshore.url, USERS);
  const bare = await startBareServer(databaseOf(longshore.pid), USERS, scope);
  const refreshes = await startLoad(
    { port: longshore.port, clients: users.map(refreshesOf), pauseMs: 0 },
    scope,
  );
  const updates = await startLoad(
    { port: bare.port, clients: updatesOf(USERS), pauseMs: 0 },
    scope,
  );
  const postgres = postgresOf(longshore.pid);
  const refreshing = meter(refreshes, longshore.pid, postgres);
  const updating = meter(updates, bare.pid, postgres);
  const { value, baseline } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    warmUpMs: WARM_UP_MS,
    measured: refreshing.rate,
    baseline: updating.rate,
  });
  const [empty = 0, bareEmpty = 0, bareSignature = 0] = await serverCosts(
    [
      { server: longshore, path: '/healthz' },
      { server: bare, path: '/' },
      { server: bare, path: '/signature' },
    ],
    scope,
  );
  const signature = bareSignature - bareEmpty;
  const baselineName = 'plain Hono, one row updated in the same Postgres';
  return [
    {
      name: 'session refreshes',
      unit: '/s',
      value,
      baseline: { name: baselineName, value: baseline },
      minRatio: MIN_RATIO,
    },
    {
      name: 'CPU time of one refresh, server',
      unit: 'ms',
      value: refreshing.serverMs(),
      baseline: { name: baselineName, value: updating.serverMs() },
    },
    {
      name: '  an empty response: HTTP, headers, request log',
      unit: 'ms',
      value: empty,
      baseline: { name: 'plain Hono, an empty response', value: bareEmpty },
    },
    { name: '  the signature of the access token', unit: 'ms', value: signature },
    {
      name: '  the rest: statement, hashes, JSON',
      unit: 'ms',
      value: refreshing.serverMs() - empty - signature,
      baseline: { name: baselineName, value: updating.serverMs() - bareEmpty },
    },
    {
      name: 'CPU time of one refresh, Postgres',
      unit: 'ms',
      value: refreshing.postgresMs(),
      baseline: { name: baselineName, value: updating.postgresMs() },
    },
  ];
});
