import type { Clock } from '@longshore/edge-contract';

type DailyJobDeps = {
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  logError: (error: unknown) => void;
};

const DAY_MS = 86_400_000;

/** The signal is aborted when the job is stopped. */
export type DailyJob = (signal: AbortSignal) => Promise<void>;

/** Runs a job now, and once a day until it is stopped. A failed run does not end it. */
export function startDailyJob(
  run: DailyJob,
  { clock, logError }: DailyJobDeps,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: unknown;
  let running = runAndSchedule();
  return {
    async stop() {
      stopping.abort();
      clock.clearTimeout(timer);
      await running;
    },
  };

  async function runAndSchedule(): Promise<void> {
    await run(signal).catch((error) => {
      if (!signal.aborted) logError(error);
    });
    if (signal.aborted) return;
    timer = clock.setTimeout(() => {
      running = runAndSchedule();
    }, DAY_MS);
  }
}
