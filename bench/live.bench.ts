import { signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { openLiveBaseline } from './support/live-baseline.ts';
import { followProjectNames } from './support/live-project-names.ts';
import { startLongshore } from './support/longshore.ts';
import { percentile } from './support/statistics.ts';

const WARM_UP = 20;
const MUTATIONS = 200;
const BUDGET_MS = 50;
const BASELINE = 'an update with NOTIFY plus a websocket echo';

await runBenchmark('live', async (scope) => {
  const longshore = await startLongshore(await benchmarkFolder(scope), scope);
  const user = await signUp(longshore.url, 'ada@example.com');
  const id = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const names = await followProjectNames(longshore.url, user);
  scope.defer(names.stop);
  const baseline = await openLiveBaseline(longshore.pid, scope);

  const responded: number[] = [];
  const arrived: number[] = [];
  const baselines: number[] = [];
  for (let number = -WARM_UP; number < MUTATIONS; number += 1) {
    const name = `Harbour ${number}`;
    const startedAt = performance.now();
    const shown = names.waitForName(name);
    await user.update(id, { userId: user.id, name });
    const respondedMs = performance.now() - startedAt;
    await shown;
    const arrivedMs = performance.now() - startedAt;
    const baselineMs = await timed(async () => {
      await baseline.throughPostgres();
      await baseline.throughWebsocket();
    });
    if (number < 0) continue;
    responded.push(respondedMs);
    arrived.push(arrivedMs);
    baselines.push(baselineMs);
  }
  const baselineAt = (share: number) => ({ name: BASELINE, value: percentile(baselines, share) });
  const row = (name: string, values: number[], share: number) =>
    ({ name, unit: 'ms', value: percentile(values, share), baseline: baselineAt(share) }) as const;
  return [
    { ...row('mutation to live query, median', arrived, 0.5), budget: BUDGET_MS },
    { ...row('mutation to live query, p99', arrived, 0.99), budget: BUDGET_MS },
    row('mutation to its response, median', responded, 0.5),
  ];
});

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
