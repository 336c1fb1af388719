import { cpuMs, familyOf } from '../processes.ts';
import { median } from '../statistics.ts';
import { type Load, perSecond } from './start-load.ts';

export type Meter = {
  /** Asks as much as it can for a while, and says how many a second were answered. */
  rate(forMs: number): Promise<number>;
  /** Processor time for one answer, median of the rounds so far. Other work on the machine changes it little. */
  serverMs(): number;
  postgresMs(): number;
};

/** A load whose cost is read from the processes that bear it. */
export function meter(load: Load, serverPid: number, postgresPid: number): Meter {
  const costs: { server: number; postgres: number }[] = [];
  return {
    async rate(forMs) {
      const before = spent();
      const result = await load.run(forMs);
      const after = spent();
      const answers = result.latenciesMs.flat().length;
      costs.push({
        server: (after.server - before.server) / answers,
        postgres: (after.postgres - before.postgres) / answers,
      });
      return perSecond(result);
    },
    serverMs: () => median(costs.map(({ server }) => server)),
    postgresMs: () => median(costs.map(({ postgres }) => postgres)),
  };

  function spent() {
    return { server: cpuMs([serverPid]), postgres: cpuMs(familyOf(postgresPid)) };
  }
}
