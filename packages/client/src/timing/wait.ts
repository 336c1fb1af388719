import type { Clock } from '../ports.ts';

/** Resolves after the delay, or immediately when aborted; the caller checks its signal. */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.setTimeout(finish, delayMs);
    signal.addEventListener('abort', finish, { once: true });
    function finish() {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
