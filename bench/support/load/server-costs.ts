import { cpuMs } from '../processes.ts';
import type { Scope } from '../scope.ts';
import { median } from '../statistics.ts';
import { startLoad } from './start-load.ts';

type Server = { pid: number; port: number };

const CLIENTS = 16;
const ROUNDS = 5;
const ROUND_MS = 1_500;

/**
 * CPU time of the server for one GET request to each path, in milliseconds. The paths take turns, so that other work on
 * the machine affects all of them alike.
 */
export async function serverCosts(
  paths: readonly { server: Server; path: string }[],
  scope: Scope,
): Promise<number[]> {
  const loads = await Promise.all(
    paths.map(async ({ server: { pid, port }, path }) => {
      const clients = Array.from({ length: CLIENTS }, () => ({ method: 'GET' as const, path }));
      return {
        pid,
        costs: [] as number[],
        load: await startLoad({ port, clients, pauseMs: 0 }, scope),
      };
    }),
  );
  for (const { load } of loads) await load.run(ROUND_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { pid, load, costs } of loads) {
      const before = cpuMs([pid]);
      const { latenciesMs } = await load.run(ROUND_MS);
      costs.push((cpuMs([pid]) - before) / latenciesMs.flat().length);
    }
  }
  return loads.map(({ costs }) => median(costs));
}
