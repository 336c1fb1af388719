const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * How long a live query rests after it ran, however much changes meanwhile. It runs a quarter of the time at
 * most, so a quick one follows a burst closely and a slow one does not take the database for itself.
 */
export function restMs(tookMs: number): number {
  return Math.min(tookMs * REST_FACTOR, MAX_REST_MS);
}

/** How long it waits after the database failed it, for the first time, the second … */
export function retryMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
}
