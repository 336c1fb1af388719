import { databaseOf } from './support/bare-postgres.ts';
import { runBenchmark } from './support/benchmark.ts';
import { compareRates } from './support/compare-rates.ts';
import { benchmarkFolder } from './support/folder.ts';
import { perSecond, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { listOf, signUpMany } from './support/people.ts';
import { startRawQueries } from './support/raw-queries.ts';

const PEOPLE = 16;
const PROJECTS = 20;
const ROUNDS = 7;
const ROUND_MS = 3_000;
/** Besides the statement there are HTTP, the token and the query itself, all on one thread. */
const LEAST_SHARE = 0.25;

await runBenchmark('graphql', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false', LONGSHORE_LOG_LEVEL: 'warn' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const people = await signUpMany(longshore.url, PEOPLE);
  for (const { id, insert } of people) {
    for (let number = 0; number < PROJECTS; number += 1) {
      await insert('project', { userId: id, name: `Harbour ${number}` });
    }
  }
  const callers = people.map(listOf);
  const load = await startLoad({ port: longshore.port, callers, pauseMs: 0 }, scope);
  const userIds = people.map(({ id }) => id);
  const raw = await startRawQueries(databaseOf(longshore.pid), userIds, scope);

  const { value, floor } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: async (forMs) => perSecond(await load.run(forMs)),
    floor: (forMs) => raw.run(forMs),
  });
  return [
    {
      name: `queries of ${PROJECTS} resources over GraphQL`,
      unit: '/s',
      value,
      floor: { name: 'the same statement by pg, without HTTP', value: floor },
      leastShare: LEAST_SHARE,
    },
  ];
});
