import { databaseOf, postgresOf } from './support/bare-postgres.ts';
import { listsOf, startBareServer } from './support/bare-server.ts';
import { listOf, signUpMany } from './support/bench-users.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { meter } from './support/load/meter.ts';
import { serverCosts } from './support/load/server-costs.ts';
import { startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { startRawQueries } from './support/raw-queries.ts';

const USERS = 16;
const PROJECTS = 20;
const ROUNDS = 7;
const ROUND_MS = 3_000;
/** A request also parses HTTP, checks the token and builds the statement, all on one thread. */
const MIN_RATIO = 0.4;

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
  const bare = await startBareServer(databaseOf(longshore.pid), USERS, scope);
  const bareLoad = await startLoad(
    { port: bare.port, clients: listsOf(userIds), pauseMs: 0 },
    scope,
  );
  const postgres = postgresOf(longshore.pid);
  const listing = meter(load, longshore.pid, postgres);
  const bareListing = meter(bareLoad, bare.pid, postgres);
  const rounds = { rounds: ROUNDS, roundMs: ROUND_MS, measured: listing.rate };
  const { value, baseline } = await compareRates({ ...rounds, baseline: raw.run });
  const overHttp = await compareRates({ ...rounds, baseline: bareListing.rate });
  const [empty = 0, bareEmpty = 0] = await serverCosts(
    [
      { server: longshore, path: '/healthz' },
      { server: bare, path: '/' },
    ],
    scope,
  );
  const baselineName = 'plain Hono, the same statement prepared';
  return [
    {
      name: `queries of ${PROJECTS} resources over GraphQL`,
      unit: '/s',
      value,
      baseline: { name: 'the same statement by pg, without HTTP', value: baseline },
      minRatio: MIN_RATIO,
    },
    {
      name: '  compared with a plain server',
      unit: '/s',
      value: overHttp.value,
      baseline: { name: baselineName, value: overHttp.baseline },
    },
    {
      name: 'CPU time of one query, server',
      unit: 'ms',
      value: listing.serverMs(),
      baseline: { name: baselineName, value: bareListing.serverMs() },
    },
    {
      name: '  an empty response: HTTP, headers, request log',
      unit: 'ms',
      value: empty,
      baseline: { name: 'plain Hono, an empty response', value: bareEmpty },
    },
    {
      name: '  the rest: token, GraphQL, statement',
      unit: 'ms',
      value: listing.serverMs() - empty,
      baseline: { name: baselineName, value: bareListing.serverMs() - bareEmpty },
    },
    {
      name: 'CPU time of one query, Postgres',
      unit: 'ms',
      value: listing.postgresMs(),
      baseline: { name: baselineName, value: bareListing.postgresMs() },
    },
  ];
});
