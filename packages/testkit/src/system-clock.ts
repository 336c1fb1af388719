/** The real clock, for tests against real sockets. */
export const systemClock = {
  now: () => Date.now(),
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (timer: unknown): void => clearTimeout(timer as NodeJS.Timeout),
};
