import type { ProcessRetry } from '../plan-input.ts';
import { backoffDelayMs, type Crashes } from '../retries.ts';

/** `run`: of the instance that exited. Undefined: one could not be started. */
type ProcessFailure = { release: number; run: string | undefined; ranMs: number };

export type AppProcessRetries = {
  /** By the name of the process. */
  next(): ReadonlyMap<string, ProcessRetry>;
  recordFailure(name: string, failure: ProcessFailure): Crashes;
  /** Ends all waits. */
  endWait(): void;
  /** All processes run. The failures of those that have run for a while are forgotten. */
  recordSettled(): void;
};

/** Failures in a row of the processes of each app. Not stored: after a server restart all are retried immediately. */
export type ProcessRetries = {
  /** A new generation starts counting at zero. */
  forApp(appId: string, generation: number): AppProcessRetries;
  forget(appId: string): void;
};

type State = ProcessRetry & {
  attempts: number;
  since: number;
  crashedAt: number;
  replaceAt: Map<string, number>;
};

/** A process that ran this long is able to run, so its failures are counted from zero again. */
const STABLE_MS = 60_000;
/** A process that runs this long after a failure does not count as failing any more. */
const RECOVERED_MS = 10_000;

export function createProcessRetries(clock: { now(): number }): ProcessRetries {
  const apps = new Map<string, { generation: number; states: Map<string, State> }>();

  function statesOf(appId: string, generation: number): Map<string, State> {
    const known = apps.get(appId);
    if (known?.generation === generation) return known.states;
    const states = new Map<string, State>();
    apps.set(appId, { generation, states });
    return states;
  }

  return {
    forget: (appId) => void apps.delete(appId),
    forApp: (appId, generation) => ({
      next: () => statesOf(appId, generation),
      recordFailure(name, { release, run, ranMs }) {
        const states = statesOf(appId, generation);
        const now = clock.now();
        const known = states.get(name)?.release === release ? states.get(name) : undefined;
        const before = ranMs >= STABLE_MS ? undefined : known;
        // It ran already when the last one crashed: they crashed together.
        const isSame = run !== undefined && before !== undefined && now - ranMs < before.crashedAt;
        const attempts = (before?.attempts ?? 0) + (isSame ? 0 : 1);
        const since = before?.since ?? now - Math.max(0, ranMs);
        const pauseMs = backoffDelayMs(attempts);
        const at = now + pauseMs;
        const replaceAt = new Map(known?.replaceAt);
        if (run !== undefined) replaceAt.set(run, at);
        const startAt = run === undefined ? at : before?.startAt;
        const failingUntil = at + RECOVERED_MS;
        const crashedAt = run === undefined ? (before?.crashedAt ?? Number.NEGATIVE_INFINITY) : now;
        const delay = { release, startAt, replaceAt, failingUntil };
        states.set(name, { attempts, since, crashedAt, ...delay });
        return { count: attempts, withinMs: now - since, pauseMs };
      },
      endWait() {
        const now = clock.now();
        for (const state of statesOf(appId, generation).values()) {
          state.startAt = undefined;
          state.failingUntil = Math.min(state.failingUntil, now + RECOVERED_MS);
          for (const run of state.replaceAt.keys()) state.replaceAt.set(run, now);
        }
      },
      recordSettled() {
        const states = statesOf(appId, generation);
        for (const [name, state] of states) {
          state.replaceAt.clear();
          if (clock.now() - state.failingUntil >= STABLE_MS - RECOVERED_MS) states.delete(name);
        }
        if (states.size === 0) apps.delete(appId);
      },
    }),
  };
}
