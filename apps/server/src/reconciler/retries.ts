import type { Retry } from './plan-input.ts';
import type { Role } from './step.ts';

/** An app that ran this long before it crashed is able to start, so its failures are counted from zero again. */
const STABLE_MS = 60_000;
const FAILED_PASS_MS = 5_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;
/** A failure of the machine says nothing about the app, which starts soon after the machine works again. */
const MAX_MACHINE_DELAY_MS = 60_000;

/** Crashes in a row: how many, within which time, and the pause before the next start. */
export type Crashes = { count: number; withinMs: number; pauseMs: number };

/** `instanceId`: of the instance that exited. `isOfMachine`: not caused by the app or a host on the internet. */
export type AppFailure = {
  instanceId: string | undefined;
  ranMs: number;
  isOfMachine?: boolean;
};

export type AppRetries = {
  /** When the next attempt may be made, and which exited instance it is about. */
  next(role: Role): Retry | undefined;
  /** Whether the newest release has failed before. */
  isRetrying(): boolean;
  recordFailure(role: Role, failure: AppFailure): Crashes;
  /** Ends the wait of the newest release: it is retried by the next pass. */
  endWait(): void;
  wakeAt(time: number): void;
  recordSettled(): void;
};

/**
 * Failures in a row of each app, counted separately for its newest release and its fallback. Not stored, on purpose: after a
 * server restart everything is retried immediately.
 */
export type Retries = {
  /** A new generation starts counting at zero. */
  forApp(appId: string, generation: number): AppRetries;
  /** The pass itself failed, because the database or the engine is down: runs another one soon. */
  repeatPass(appId: string): void;
  forget(appId: string): void;
};

type Failures = Retry & { generation: number; attempts: number; since: number };
type RetriesDeps = {
  clock: { now(): number };
  wakeLater(appId: string, delayMs: number): void;
};

/** The growing wait before the next attempt: 1 s, doubled each time, at most five minutes. */
export function backoffDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1), MAX_DELAY_MS);
}

export function createRetries({ clock, wakeLater }: RetriesDeps): Retries {
  const failures: Record<Role, Map<string, Failures>> = { newest: new Map(), fallback: new Map() };
  return {
    repeatPass: (appId) => wakeLater(appId, FAILED_PASS_MS),
    forget,
    forApp: (appId, generation) => ({
      next: (role) => current(appId, role, generation),
      isRetrying: () => current(appId, 'newest', generation) !== undefined,
      recordFailure(role, { instanceId, ranMs, isOfMachine = false }) {
        const before = ranMs >= STABLE_MS ? undefined : current(appId, role, generation);
        const attempts = (before?.attempts ?? 0) + 1;
        const now = clock.now();
        // The machine's clock may have been set back while the instance ran.
        const since = before?.since ?? now - Math.max(0, ranMs);
        const maxPauseMs = isOfMachine ? MAX_MACHINE_DELAY_MS : MAX_DELAY_MS;
        const pauseMs = Math.min(backoffDelayMs(attempts), maxPauseMs);
        failures[role].set(appId, { generation, attempts, since, at: now + pauseMs, instanceId });
        return { count: attempts, withinMs: now - since, pauseMs };
      },
      endWait() {
        const waiting = current(appId, 'newest', generation);
        if (waiting !== undefined) waiting.at = Math.min(waiting.at, clock.now());
      },
      wakeAt: (time) => wakeLater(appId, Math.max(0, time - clock.now())),
      recordSettled() {
        failures.fallback.delete(appId);
        const failed = current(appId, 'newest', generation);
        // The count stays until the app has run stably for a while.
        if (failed !== undefined && clock.now() - failed.at >= STABLE_MS) forget(appId);
      },
    }),
  };

  function forget(appId: string): void {
    for (const failuresByApp of Object.values(failures)) failuresByApp.delete(appId);
  }

  function current(appId: string, role: Role, generation: number): Failures | undefined {
    const found = failures[role].get(appId);
    return found?.generation === generation ? found : undefined;
  }
}
