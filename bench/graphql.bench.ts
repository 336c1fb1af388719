import { databaseOf } from './support/bare-postgres.ts';
import { listOf, signUpMany } from './support/bench-users.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { perSecond, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { startRawQueries } from './support/raw-queries.ts';

const USERS = 16;
const PROJECTS = 20;
const ROUNDS = 7;
const ROUND_MS = 3_000;
/** A request also parses HTTP, verifies the token and compiles the query, all on one thread. */
const MIN_RATIO = 0.25;

await runBenchmark('graphql', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false', LONGSHORE_LOG_LEVEL: 'warn' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const users = await signUpMany(longshore.url, USERS);
  for (const { id, insert } of users) {
    for (let number = 0; number < PROJECTS; number += 1) {
      await insert('project', { userId: id, name: `Harbour ${number}` });
    }
  }
  const clients = users.map(listOf);
  const load = await startLoad({ port: longshore.port, clients, pauseMs: 0 }, scope);
  const userIds = users.map(({ id }) => id);
  const raw = await startRawQueries(databaseOf(longshore.pid), userIds, scope);

  const { value, baseline } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: async (forMs) => perSecond(await load.run(forMs)),
    baseline: (forMs) => raw.run(forMs),
  });
  return [
    {
      name: `queries of ${PROJECTS} resources over GraphQL`,
      unit: '/s',
      value,
      baseline: { name: 'the same statement by pg, without HTTP', value: baseline },
      minRatio: MIN_RATIO,
    },
  ];
});
