import { setTimeout as pause } from 'node:timers/promises';

/** Work that goes on after its request was answered. */
export type Background = {
  run(work: () => Promise<void>): void;
  /** Waits for what is under way, though not for ever: it has deadlines of its own. */
  stop(): Promise<void>;
};

type BackgroundDeps = { logError: (error: unknown) => void; patienceMs?: number };

const PATIENCE_MS = 5_000;

export function createBackground({
  logError,
  patienceMs = PATIENCE_MS,
}: BackgroundDeps): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run(work) {
      const running: Promise<void> = work()
        .catch(logError)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    async stop() {
      await Promise.race([Promise.all(underWay), pause(patienceMs, undefined, { ref: false })]);
    },
  };
}
