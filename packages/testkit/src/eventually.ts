/** Long, because the machine may be busy, and builds get only the processor time that others leave. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 10;

/**
 * Polls until the condition returns a value other than false or undefined. For real processes and sockets; use the
 * simulated clock otherwise.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  description = 'the condition',
): Promise<Exclude<T, false | undefined>> {
  const deadline = Date.now() + TIMEOUT_MS;
  let lastCause: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    } catch (cause) {
      lastCause = cause;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${description} was not met within ${TIMEOUT_MS / 1000} s`, {
    cause: lastCause,
  });
}
