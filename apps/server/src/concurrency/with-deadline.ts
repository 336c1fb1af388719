/**
 * Runs work with a signal that aborts with another one, or after a time. `AbortSignal.any` and `AbortSignal.timeout` would leave
 * a timer and weak references behind until that time: under load, thousands of them.
 */
export async function withDeadline<Result>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timeOut = () => controller.abort(new DOMException('It took too long', 'TimeoutError'));
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(timeOut, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
