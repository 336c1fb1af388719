import type { Clock } from './clock.ts';

type DailyDeps = {
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  logError: (error: unknown) => void;
};

const DAY_MS = 86_400_000;

/** Does a piece of work once a day until stopped. A day that fails does not end it. */
export function startDaily(
  work: () => Promise<void>,
  { clock, logError }: DailyDeps,
): { stop(): Promise<void> } {
  let isStopped = false;
  let running = Promise.resolve();
  let timer = clock.setTimeout(begin, DAY_MS);
  return {
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await running;
    },
  };

  function begin(): void {
    running = work()
      .catch(logError)
      .then(() => {
        if (!isStopped) timer = clock.setTimeout(begin, DAY_MS);
      });
  }
}
