import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 50;

/** For hooks, where `expect.poll` is not available. */
export async function waitFor(
  condition: () => Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition was not met in time');
    await delay(POLL_INTERVAL_MS);
  }
}
