import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** For hooks, where `expect.poll` may not be called. */
export async function waitFor(isSo: () => Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('It did not come true in time');
    await delay(LOOK_AGAIN_MS);
  }
}
