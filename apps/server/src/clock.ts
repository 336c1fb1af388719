/** The time and its timers; tests hand in a simulated one. */
export type Clock = {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** For what lies how far apart, not when it was: it goes on evenly while the machine's time is set forward or back. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };
