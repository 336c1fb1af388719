import { cpuMs, processTreeOf } from '../processes.ts';
import { median } from '../statistics.ts';
import { type Load, perSecond } from './start-load.ts';

export type Meter = {
  /** Sends as many requests as possible for a while and returns the responses per second. */
  rate(forMs: number): Promise<number>;
  /** CPU time per response, median of the rounds so far. Other work on the machine hardly affects it. */
  serverMs(): number;
  postgresMs(): number;
};

/** Runs a load and reads its CPU time from the server processes. */
export function meter(load: Load, serverPid: number, postgresPid: number): Meter {
  const costs: { server: number; postgres: number }[] = [];
  return {
    async rate(forMs) {
      const before = cpuTimes();
      const result = await load.run(forMs);
      const after = cpuTimes();
      const responses = result.latenciesMs.flat().length;
      costs.push({
        server: (after.server - before.server) / responses,
        postgres: (after.postgres - before.postgres) / responses,
      });
      return perSecond(result);
    },
    serverMs: () => median(costs.map(({ server }) => server)),
    postgresMs: () => median(costs.map(({ postgres }) => postgres)),
  };

  function cpuTimes() {
    return { server: cpuMs([serverPid]), postgres: cpuMs(processTreeOf(postgresPid)) };
  }
}
