/** The time and timers. Tests pass a simulated clock. */
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

/** For durations only: not affected when the machine's clock is set forward or back. */
export const monotonicClock: Clock = { ...systemClock, now: () => performance.now() };
