const FIRST_MS = 1_000;
const LAST_MS = 300_000;

/** The growing wait before the next pass after a failure: 1 s doubled each time, at most five minutes. */
export function backoffDelayMs(attempts: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LAST_MS);
}
