import { backoffDelayMs } from './backoff.ts';
import type { Retry } from './situation.ts';
import type { Role } from './step.ts';

/** An app that ran this long before it stopped did not stop because it cannot start. */
const STABLE_MS = 60_000;
const UNSEEN_MS = 5_000;

/** How often in a row, within which time, and how long until the next try. */
export type Crashes = { count: number; withinMs: number; pauseMs: number };

export type AppRetries = {
  /** When, and about which exited instance, the next try may be made. */
  next(role: Role): Retry | undefined;
  /** Whether the newest release failed before. */
  isTryingAgain(): boolean;
  failed(role: Role, failure: { instanceId: string | undefined; ranMs: number }): Crashes;
  wakeAt(time: number): void;
  settle(): void;
};

/** How often each app failed in a row, the two releases of it that may run each for itself. Lost at a restart on purpose: a restart tries everything at once. */
export type Retries = {
  of(appId: string, generation: number): AppRetries;
  /** The pass itself broke, before it could say anything of the app: the database or the engine is away. */
  unseen(appId: string): void;
  forget(appId: string): void;
};

type Failures = Retry & { generation: number; attempts: number; since: number };
type RetriesDeps = {
  clock: { now(): number };
  wakeLater(appId: string, delayMs: number): void;
};

export function createRetries({ clock, wakeLater }: RetriesDeps): Retries {
  const failures: Record<Role, Map<string, Failures>> = { newest: new Map(), fallback: new Map() };
  return {
    unseen: (appId) => wakeLater(appId, UNSEEN_MS),
    forget,
    of: (appId, generation) => ({
      next: (role) => current(appId, role, generation),
      isTryingAgain: () => current(appId, 'newest', generation) !== undefined,
      failed(role, { instanceId, ranMs }) {
        const before = ranMs >= STABLE_MS ? undefined : current(appId, role, generation);
        const attempts = (before?.attempts ?? 0) + 1;
        const now = clock.now();
        // The machine's time may have been set back while it ran.
        const since = before?.since ?? now - Math.max(0, ranMs);
        const pauseMs = backoffDelayMs(attempts);
        failures[role].set(appId, { generation, attempts, since, at: now + pauseMs, instanceId });
        return { count: attempts, withinMs: now - since, pauseMs };
      },
      wakeAt: (time) => wakeLater(appId, Math.max(0, time - clock.now())),
      settle() {
        failures.fallback.delete(appId);
        const failed = current(appId, 'newest', generation);
        // The count is kept until the app has proved stable; only the wait is over.
        if (failed !== undefined && clock.now() - failed.at >= STABLE_MS) forget(appId);
      },
    }),
  };

  function forget(appId: string): void {
    for (const ofRole of Object.values(failures)) ofRole.delete(appId);
  }

  /** A new wish of the user's starts counting anew. */
  function current(appId: string, role: Role, generation: number): Failures | undefined {
    const found = failures[role].get(appId);
    return found?.generation === generation ? found : undefined;
  }
}
