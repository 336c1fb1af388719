import type { Visibility } from '../ports.ts';

/**
 * Runs the job once the page can be seen, with a signal that also aborts when it is hidden again. Answers what became of
 * it, or `hidden` when it was broken off for that; the caller looks at its own signal.
 */
export async function whileVisible<T>(
  visibility: Visibility,
  signal: AbortSignal,
  job: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'hidden'> {
  await untilVisible(visibility, signal);
  const hiding = new AbortController();
  const stop = visibility.listen(() => {
    if (!visibility.isVisible()) hiding.abort();
  });
  try {
    const done = await job(AbortSignal.any([signal, hiding.signal]));
    return hiding.signal.aborted ? 'hidden' : done;
  } finally {
    stop();
  }
}

/** Or until aborted. */
function untilVisible(visibility: Visibility, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (visibility.isVisible() || signal.aborted) return resolve();
    const stop = visibility.listen(() => visibility.isVisible() && finish());
    signal.addEventListener('abort', finish, { once: true });
    function finish() {
      stop();
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
