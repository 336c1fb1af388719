import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/folder.ts';
import { openLiveFloor } from './support/live-floor.ts';
import { followNames } from './support/live-names.ts';
import { startLongshore } from './support/longshore.ts';
import { signUp } from './support/person.ts';
import { percentile } from './support/statistics.ts';

const WARM_UP = 20;
const MUTATIONS = 200;
const BUDGET_MS = 50;
const FLOOR = 'a bare update with NOTIFY, plus a websocket echo';

await runBenchmark('live', async (scope) => {
  const longshore = await startLongshore(await benchmarkFolder(scope), scope);
  const person = await signUp(longshore.url, 'ada@example.com');
  const id = await person.insert('project', { userId: person.id, name: 'Harbour' });
  const names = await followNames(longshore.url, person);
  scope.defer(names.stop);
  const floor = await openLiveFloor(longshore.pid, scope);

  const answered: number[] = [];
  const arrived: number[] = [];
  const floors: number[] = [];
  for (let number = -WARM_UP; number < MUTATIONS; number += 1) {
    const name = `Harbour ${number}`;
    const begunAt = performance.now();
    const shown = names.shows(name);
    await person.update(id, { userId: person.id, name });
    const answeredMs = performance.now() - begunAt;
    await shown;
    const arrivedMs = performance.now() - begunAt;
    const floorMs = await timed(async () => {
      await floor.throughPostgres();
      await floor.throughWebsocket();
    });
    if (number < 0) continue;
    answered.push(answeredMs);
    arrived.push(arrivedMs);
    floors.push(floorMs);
  }
  const floorAt = (share: number) => ({ name: FLOOR, value: percentile(floors, share) });
  const row = (name: string, values: number[], share: number) =>
    ({ name, unit: 'ms', value: percentile(values, share), floor: floorAt(share) }) as const;
  return [
    { ...row('mutation to live query, half of them', arrived, 0.5), budget: BUDGET_MS },
    { ...row('mutation to live query, 99 in 100', arrived, 0.99), budget: BUDGET_MS },
    row('mutation to its own answer, half of them', answered, 0.5),
  ];
});

async function timed(work: () => Promise<void>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}
