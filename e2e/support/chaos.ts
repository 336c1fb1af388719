import { setTimeout as delay } from 'node:timers/promises';

/** Something that can go wrong; `mend` makes it possible to go on. */
export type Fault = { name: string; strike(): Promise<void>; mend(): Promise<void> };

export type Chaos = {
  /** A number from 0 up to, but not with, the limit. */
  below(limit: number): number;
  /** Lets one of the faults strike at a moment that nobody chose; none again before all have struck. */
  strikeSoon(withinMs: number): Promise<void>;
  /** How often each struck, as one line. */
  figures(): string;
};

/** The same seed brings the same faults; when exactly they strike is the machine's doing, too. */
export function createChaos(seed: number, faults: Fault[]): Chaos {
  const counts = new Map<string, number>();
  let state = seed % 2_147_483_647 || 1;
  let left: Fault[] = [];

  function below(limit: number): number {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  }

  return {
    below,
    async strikeSoon(withinMs) {
      if (left.length === 0) left = [...faults];
      const [fault] = left.splice(below(left.length), 1);
      if (fault === undefined) return;
      await delay(below(withinMs));
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
      await fault.strike();
      await fault.mend();
    },
    figures() {
      const sum = [...counts.values()].reduce((total, count) => total + count, 0);
      const each = [...counts].map(([name, count]) => `${name} ${count}`);
      return `${sum} faults (${each.join(', ')})`;
    },
  };
}
