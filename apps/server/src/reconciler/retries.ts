import { backoffDelayMs } from './backoff.ts';

/** An app that ran this long before it stopped did not stop because it cannot start. */
const STABLE_MS = 60_000;
const UNSEEN_MS = 5_000;

export type AppRetries = {
  /** When, and about which exited instance, the next try may be made. */
  next(): { at: number; instanceId: string | undefined } | undefined;
  isTryingAgain(): boolean;
  failed(failure: { instanceId: string | undefined; ranMs: number }): void;
  wakeAt(time: number): void;
  settle(): void;
};

/** How often each app failed in a row. Lost at a restart on purpose: a restart tries everything at once. */
export type Retries = {
  of(appId: string, generation: number): AppRetries;
  /** The pass itself broke, before it could say anything of the app: the database or the engine is away. */
  unseen(appId: string): void;
  forget(appId: string): void;
};

type Failures = {
  generation: number;
  attempts: number;
  at: number;
  instanceId: string | undefined;
};
type RetriesDeps = {
  clock: { now(): number };
  wakeLater(appId: string, delayMs: number): void;
};

export function createRetries({ clock, wakeLater }: RetriesDeps): Retries {
  const failures = new Map<string, Failures>();
  return {
    unseen: (appId) => wakeLater(appId, UNSEEN_MS),
    forget: (appId) => void failures.delete(appId),
    of: (appId, generation) => ({
      next: () => current(appId, generation),
      isTryingAgain: () => current(appId, generation) !== undefined,
      failed({ instanceId, ranMs }) {
        const before = ranMs >= STABLE_MS ? 0 : (current(appId, generation)?.attempts ?? 0);
        const attempts = before + 1;
        const at = clock.now() + backoffDelayMs(attempts);
        failures.set(appId, { generation, attempts, at, instanceId });
      },
      wakeAt: (time) => wakeLater(appId, Math.max(0, time - clock.now())),
      settle() {
        const failed = current(appId, generation);
        // The count is kept until the app has proved stable; only the wait is over.
        if (failed !== undefined && clock.now() - failed.at >= STABLE_MS) failures.delete(appId);
      },
    }),
  };

  /** A new wish of the user's starts counting anew. */
  function current(appId: string, generation: number): Failures | undefined {
    const found = failures.get(appId);
    return found?.generation === generation ? found : undefined;
  }
}
