import { setTimeout as delay } from 'node:timers/promises';

/** A fault to inject; `repair` makes the system usable again. */
export type Fault = { name: string; inject(): Promise<void>; repair(): Promise<void> };

export type RandomFaults = {
  /** A random number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** Injects one of the faults at a random moment. None is repeated before all have been used. */
  injectSoon(withinMs: number): Promise<void>;
  /** How often each fault was injected, as one line. */
  summary(): string;
};

/** The same seed gives the same faults; their exact timing also depends on the machine. */
export function createRandomFaults(seed: number, faults: Fault[]): RandomFaults {
  const counts = new Map<string, number>();
  let state = seed % 2_147_483_647 || 1;
  let left: Fault[] = [];

  function below(limit: number): number {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  }

  return {
    below,
    async injectSoon(withinMs) {
      if (left.length === 0) left = [...faults];
      const [fault] = left.splice(below(left.length), 1);
      if (fault === undefined) return;
      await delay(below(withinMs));
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
      await fault.inject();
      await fault.repair();
    },
    summary() {
      const sum = [...counts.values()].reduce((total, count) => total + count, 0);
      const each = [...counts].map(([name, count]) => `${name} ${count}`);
      return `${sum} faults (${each.join(', ')})`;
    },
  };
}
