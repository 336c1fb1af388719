import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startEmptyServer } from './support/empty-server.ts';
import { startLongshore } from './support/longshore.ts';
import type { Program } from './support/program.ts';
import { median, percentile } from './support/statistics.ts';

const RUNS = 7;
const BUDGET_MS = 3_000;

await runBenchmark('ready', async (scope) => {
  const dataDir = await benchmarkFolder(scope);
  const firstMs = await timed(startLongshore(dataDir, scope));
  const starts: number[] = [];
  const baselines: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    baselines.push(await timed(startEmptyServer(scope)));
    starts.push(await timed(startLongshore(dataDir, scope)));
  }
  const baseline = { name: 'the same Node with an empty HTTP server', value: median(baselines) };
  return [
    { name: 'first start, creates the database', unit: 'ms', value: firstMs },
    {
      name: 'second start, median',
      unit: 'ms',
      value: median(starts),
      baseline,
      budget: BUDGET_MS,
    },
    { name: 'second start, slowest', unit: 'ms', value: percentile(starts, 1) },
  ];
});

async function timed(start: Promise<Program>): Promise<number> {
  const { readyMs, stop } = await start;
  await stop();
  return readyMs;
}
