import { databaseOf, postgresOf } from './support/bare-postgres.ts';
import { startBareServer, updatesOf } from './support/bare-server.ts';
import { runBenchmark } from './support/benchmark.ts';
import { compareRates } from './support/compare-rates.ts';
import { benchmarkFolder } from './support/folder.ts';
import { meter } from './support/load/meter.ts';
import { startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { refreshesOf, signUpMany } from './support/people.ts';

const PEOPLE = 16;
const ROUNDS = 7;
const ROUND_MS = 4_000;
const WARM_UP_MS = 20_000;
const LEAST_SHARE = 0.5;

await runBenchmark('refresh', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const people = await signUpMany(longshore.url, PEOPLE);
  const bare = await startBareServer(databaseOf(longshore.pid), PEOPLE, scope);
  const refreshes = await startLoad(
    { port: longshore.port, callers: people.map(refreshesOf), pauseMs: 0 },
    scope,
  );
  const updates = await startLoad(
    { port: bare.port, callers: updatesOf(PEOPLE), pauseMs: 0 },
    scope,
  );
  const postgres = postgresOf(longshore.pid);
  const refreshing = meter(refreshes, longshore.pid, postgres);
  const updating = meter(updates, bare.pid, postgres);
  const { value, floor } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    warmUpMs: WARM_UP_MS,
    measured: refreshing.rate,
    floor: updating.rate,
  });
  const floorName = 'bare Hono, one row updated in the same Postgres';
  return [
    {
      name: 'refreshes of a session',
      unit: '/s',
      value,
      floor: { name: floorName, value: floor },
      leastShare: LEAST_SHARE,
    },
    {
      name: 'processor time of one, server',
      unit: 'ms',
      value: refreshing.serverMs(),
      floor: { name: floorName, value: updating.serverMs() },
    },
    {
      name: 'processor time of one, Postgres',
      unit: 'ms',
      value: refreshing.postgresMs(),
      floor: { name: floorName, value: updating.postgresMs() },
    },
  ];
});
