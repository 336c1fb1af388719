import type { Clock } from '@longshore/edge-contract';

type DailyJobDeps = {
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  logError: (error: unknown) => void;
};

const DAY_MS = 86_400_000;

/** Runs a job now, and once a day until it is stopped. A failed run does not end it. */
export function startDailyJob(
  run: () => Promise<void>,
  { clock, logError }: DailyJobDeps,
): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: unknown;
  let running = runAndSchedule();
  return {
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await running;
    },
  };

  async function runAndSchedule(): Promise<void> {
    await run().catch(logError);
    if (isStopped) return;
    timer = clock.setTimeout(() => {
      running = runAndSchedule();
    }, DAY_MS);
  }
}
