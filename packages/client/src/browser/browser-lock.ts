import type { TabLock } from '../ports.ts';

const LOCK_NAME = 'longshore-refresh';
/** A tab that holds the lock longer is broken; the server's grace window covers two at once. */
const PATIENCE_MS = 35_000;

export const browserLock: TabLock = async (job, signal) => {
  // Absent on plain http other than localhost.
  if (!navigator.locks) return job();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let isStarted = false;
  try {
    return await navigator.locks.request(
      LOCK_NAME,
      { signal: AbortSignal.any([signal, patience]) },
      () => {
        isStarted = true;
        return job();
      },
    );
  } catch (cause) {
    if (isStarted || !patience.aborted) throw cause;
    return job();
  }
};
