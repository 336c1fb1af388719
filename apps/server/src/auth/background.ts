import { setTimeout as pause } from 'node:timers/promises';

/** Work that continues after the response was sent. */
export type Background = {
  run(work: () => Promise<void>): void;
  /** Waits for running work, up to a timeout. */
  stop(): Promise<void>;
};

type BackgroundDeps = { logError: (error: unknown) => void; stopTimeoutMs?: number };

const STOP_TIMEOUT_MS = 5_000;

export function createBackground({
  logError,
  stopTimeoutMs = STOP_TIMEOUT_MS,
}: BackgroundDeps): Background {
  const pending = new Set<Promise<void>>();
  return {
    run(work) {
      const running: Promise<void> = work()
        .catch(logError)
        .finally(() => pending.delete(running));
      pending.add(running);
    },
    async stop() {
      await Promise.race([Promise.all(pending), pause(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
