import type { Clock } from '../ports.ts';

/** Runs the job with a signal that also aborts after the timeout. */
export async function withDeadline<T>(
  { clock, timeoutMs, signal }: { clock: Clock; timeoutMs: number; signal?: AbortSignal },
  job: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = clock.setTimeout(
    () => deadline.abort(new Error(`No response within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  try {
    return await job(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal);
  } finally {
    clock.clearTimeout(timer);
  }
}
