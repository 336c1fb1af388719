import type { Clock } from './clock.ts';

type DailyDeps = {
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  logError: (error: unknown) => void;
};

const DAY_MS = 86_400_000;

/** Does a piece of work at the start, and once a day until stopped. A day that fails does not end it. */
export function startDaily(
  work: () => Promise<void>,
  { clock, logError }: DailyDeps,
): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: unknown;
  let running = begin();
  return {
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await running;
    },
  };

  async function begin(): Promise<void> {
    await work().catch(logError);
    if (isStopped) return;
    timer = clock.setTimeout(() => {
      running = begin();
    }, DAY_MS);
  }
}
