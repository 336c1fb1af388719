import type { Visibility } from '../ports.ts';

/**
 * Runs the job when the page is visible, with a signal that also aborts when the page is hidden. Returns the job's result,
 * or `hidden` if hiding the page aborted it; the caller checks its own signal.
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
    const result = await job(AbortSignal.any([signal, hiding.signal]));
    return hiding.signal.aborted ? 'hidden' : result;
  } finally {
    stop();
  }
}

/** Also resolves when aborted. */
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
