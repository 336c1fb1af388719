import type { Retry } from './plan-input.ts';
import type { Role, Step } from './step.ts';

/** An app that ran this long before it crashed is able to start, so its failures are counted from zero again. */
const STABLE_MS = 60_000;
const FAILED_PASS_MS = 5_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;
/** A failure of the machine says nothing about the app, which starts soon after the machine works again. */
const MAX_MACHINE_DELAY_MS = 60_000;
/** For what can be fixed only outside of the app, such as a repository that was deleted. */
const FINAL_DELAY_MS = 86_400_000;

/** Crashes in a row: how many, within which time, and the pause before the next start. */
export type Crashes = { count: number; withinMs: number; pauseMs: number };

/** What a failure delays: all of it until the pause is over. */
export type AppFailure = {
  /** Of the instance that exited, and how long it ran. */
  run?: string;
  ranMs?: number;
  /** Of instances that did not answer. */
  unanswered?: string[];
  /** How many instances could not be started while others serve. */
  unstarted?: number;
  /** The step that failed. */
  step?: Step['kind'] | undefined;
  /** Not caused by the app or a host on the internet. */
  isOfMachine?: boolean;
  /** It would fail again, and nothing else ends the attempts. */
  isFinal?: boolean;
};

export type AppRetries = {
  /** When the next attempt may be made, and which exits are counted. */
  next(role: Role): Retry | undefined;
  /** Whether the newest release has failed before. */
  isRetrying(): boolean;
  recordFailure(role: Role, failure: AppFailure): Crashes;
  /** An instance exited that served, while others of its release serve. It is replaced at most once a second. */
  recordRestart(role: Role, exited: { run: string; ranMs: number }): void;
  /** Ends the wait of the newest release: it is retried by the next pass. */
  endWait(): void;
  /** Serving instances could not be protected. Neither counts as a failure of the app, nor delays other steps. */
  recordUnprotected(): void;
  recordProtected(): void;
  /** When instances that could not be protected may be. */
  protectAt(): number | undefined;
  /** Runs another pass then, or earlier if instances have to be protected. Undefined: only for that. */
  wakeAt(time: number | undefined): void;
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

/** `failures`: in a row, undefined if there are none. */
type State = {
  generation: number;
  failures: { attempts: number; since: number; crashedAt: number; at: number } | undefined;
  repeatAt: Map<Step['kind'], number>;
  replaceAt: Map<string, number>;
  unstarted: Retry['unstarted'];
};
type RetriesDeps = {
  clock: { now(): number };
  wakeLater(appId: string, delayMs: number): void;
};

/** The growing wait before the next attempt: 1 s, doubled each time, at most five minutes. */
export function backoffDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1), MAX_DELAY_MS);
}

export function createRetries({ clock, wakeLater }: RetriesDeps): Retries {
  const states: Record<Role, Map<string, State>> = { newest: new Map(), fallback: new Map() };
  const unprotected = new Map<string, { attempts: number; at: number }>();
  return {
    repeatPass: (appId) => wakeLater(appId, FAILED_PASS_MS),
    forget(appId) {
      forgetFailures(appId);
      unprotected.delete(appId);
    },
    forApp: (appId, generation) => ({
      next: (role) => current(appId, role, generation),
      isRetrying: () => current(appId, 'newest', generation)?.failures !== undefined,
      recordFailure(role, failure) {
        const state = stateOf(appId, role, generation);
        const { run, ranMs = 0, isOfMachine = false, isFinal = false } = failure;
        const now = clock.now();
        const before = ranMs >= STABLE_MS ? undefined : state.failures;
        // It ran already when the last one crashed: they crashed together.
        const isSame = run !== undefined && before !== undefined && now - ranMs < before.crashedAt;
        const attempts = (before?.attempts ?? 0) + (isSame ? 0 : 1);
        // The machine's clock may have been set back while the instance ran.
        const since = before?.since ?? now - Math.max(0, ranMs);
        const maxPauseMs = isOfMachine ? MAX_MACHINE_DELAY_MS : MAX_DELAY_MS;
        const pauseMs = isFinal ? FINAL_DELAY_MS : Math.min(backoffDelayMs(attempts), maxPauseMs);
        const at = now + pauseMs;
        const crashedAt = run === undefined ? (before?.crashedAt ?? Number.NEGATIVE_INFINITY) : now;
        state.failures = { attempts, since, crashedAt, at };
        delay(state, failure, { now, at });
        return { count: attempts, withinMs: now - since, pauseMs };
      },
      recordRestart(role, { run, ranMs }) {
        const pauseMs = Math.min(FIRST_DELAY_MS, Math.max(0, FIRST_DELAY_MS - ranMs));
        stateOf(appId, role, generation).replaceAt.set(run, clock.now() + pauseMs);
      },
      endWait() {
        const state = current(appId, 'newest', generation);
        if (state === undefined) return;
        const now = clock.now();
        state.repeatAt.clear();
        state.unstarted = undefined;
        for (const [run, at] of state.replaceAt) state.replaceAt.set(run, Math.min(at, now));
      },
      recordUnprotected() {
        const attempts = (unprotected.get(appId)?.attempts ?? 0) + 1;
        const pauseMs = Math.min(backoffDelayMs(attempts), MAX_MACHINE_DELAY_MS);
        unprotected.set(appId, { attempts, at: clock.now() + pauseMs });
        // The steps that follow may take long.
        wakeLater(appId, pauseMs);
      },
      recordProtected: () => void unprotected.delete(appId),
      protectAt: () => unprotected.get(appId)?.at,
      wakeAt(time = Number.POSITIVE_INFINITY) {
        const now = clock.now();
        const { at: protectAt = Number.POSITIVE_INFINITY } = unprotected.get(appId) ?? {};
        const at = Math.min(time, protectAt);
        // Due since the plan was made: the next plan does it, if it is still needed.
        if (protectAt <= now) unprotected.delete(appId);
        if (at < Number.POSITIVE_INFINITY) wakeLater(appId, Math.max(0, at - now));
      },
      recordSettled() {
        states.fallback.delete(appId);
        const state = current(appId, 'newest', generation);
        const failures = state?.failures;
        // The count stays until the app has run stably for a while.
        if (failures === undefined || clock.now() - failures.at >= STABLE_MS) forgetFailures(appId);
        else state?.replaceAt.clear();
      },
    }),
  };

  function forgetFailures(appId: string): void {
    for (const statesByApp of Object.values(states)) statesByApp.delete(appId);
  }

  function current(appId: string, role: Role, generation: number): State | undefined {
    const found = states[role].get(appId);
    return found?.generation === generation ? found : undefined;
  }

  function stateOf(appId: string, role: Role, generation: number): State {
    const state = current(appId, role, generation) ?? {
      generation,
      failures: undefined,
      repeatAt: new Map(),
      replaceAt: new Map(),
      unstarted: undefined,
    };
    states[role].set(appId, state);
    return state;
  }
}

function delay(
  state: State,
  { run, unanswered = [], unstarted = 0, step }: AppFailure,
  { now, at }: { now: number; at: number },
): void {
  for (const each of run === undefined ? unanswered : [run, ...unanswered]) {
    state.replaceAt.set(each, at);
  }
  if (step !== undefined) state.repeatAt.set(step, at);
  if (unstarted === 0) return;
  const before = state.unstarted && state.unstarted.until > now ? state.unstarted.count : 0;
  state.unstarted = { count: before + unstarted, until: at };
}
