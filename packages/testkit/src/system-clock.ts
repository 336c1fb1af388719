/** The system clock, for tests with real sockets. */
export const systemClock = {
  now: () => Date.now(),
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (timer: unknown): void => clearTimeout(timer as NodeJS.Timeout),
};
