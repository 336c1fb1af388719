import { openSampledInstances } from '@longshore/server/testing/sampled-instances';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { cpuMs, processTreeOf } from './support/processes.ts';

const INSTANCES = 100;
const WARM_UP = 5;
/** Simulated, one after another without a pause. */
const MINUTES = 60;
const MINUTE_MS = 60_000;
const WEEK_MINUTES = 7 * 24 * 60;
/** Of one processor. */
const BUDGET_CPU = 0.2;

/** What it costs to measure instances and to store what they used, in this process and the database. */
await runBenchmark('usage', async (scope) => {
  const instances = await openSampledInstances(await benchmarkFolder(scope), INSTANCES);
  scope.defer(instances.stop);
  for (let minute = 0; minute < WARM_UP; minute += 1) await instances.passMinute();
  const database = processTreeOf(process.pid).filter((pid) => pid !== process.pid);
  const [ownBefore, databaseBefore] = [process.cpuUsage(), cpuMs(database)];
  for (let minute = 0; minute < MINUTES; minute += 1) await instances.passMinute();
  const own = process.cpuUsage(ownBefore);
  const ownMs = (own.user + own.system) / 1_000;
  const databaseMs = cpuMs(database) - databaseBefore;
  const share = (ms: number) => (ms / (MINUTES * MINUTE_MS)) * 100;
  const rows = (await instances.storedBytes()) / (INSTANCES * (WARM_UP + MINUTES));
  return [
    {
      name: `CPU of one processor, ${INSTANCES} instances`,
      unit: '%',
      value: share(ownMs + databaseMs),
      budget: BUDGET_CPU,
    },
    { name: '  of the server', unit: '%', value: share(ownMs) },
    { name: '  of the database', unit: '%', value: share(databaseMs) },
    { name: 'disk, a week of one instance', unit: 'MB', value: (rows * WEEK_MINUTES) / 1e6 },
  ];
});
