export type SimulatedClock = {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Advances the time. Runs due timers in order and lets promises settle in between. */
  advance(durationMs: number): Promise<void>;
  /** The number of waiting timers. */
  pending(): number;
};

type Timer = { id: number; at: number; callback: () => void };

const START = Date.UTC(2025, 0, 1);

/** A clock for tests: its time changes only with `advance`. */
export function createSimulatedClock(start = START): SimulatedClock {
  let now = start;
  let lastId = 0;
  let timers: Timer[] = [];

  function takeDue(until: number): Timer | undefined {
    const [next] = timers
      .filter((timer) => timer.at <= until)
      .sort((one, other) => one.at - other.at || one.id - other.id);
    timers = timers.filter((timer) => timer !== next);
    return next;
  }

  return {
    now: () => now,
    setTimeout(callback, delayMs) {
      lastId += 1;
      timers.push({ id: lastId, at: now + Math.max(0, delayMs), callback });
      return lastId;
    },
    clearTimeout(id) {
      timers = timers.filter((timer) => timer.id !== id);
    },
    async advance(durationMs) {
      const until = now + durationMs;
      await settle();
      for (let timer = takeDue(until); timer !== undefined; timer = takeDue(until)) {
        now = timer.at;
        timer.callback();
        await settle();
      }
      now = until;
    },
    pending: () => timers.length,
  };
}

/** Runs everything that waits only for promises, including streams. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
