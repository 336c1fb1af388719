import type { Clock } from '@longshore/edge-contract';

export type ThrottledRun = {
  /** Requests a run, because the data may have changed. */
  invalidate(): void;
  stop(): void;
};

export type ThrottledRunDeps = {
  /** `failed` is retried automatically. Never rejects. */
  run: () => Promise<'done' | 'failed'>;
  /** Runs the work as soon as there is capacity. */
  schedule: (work: () => Promise<void>) => void;
  clock: Clock;
};

/** `due`: waits for the end of its pause, or for capacity. `outdated`: running, and invalidated since it started. */
type State = 'idle' | 'due' | 'running' | 'outdated' | 'stopped';

const INVALIDATED: Record<State, State> = {
  idle: 'due',
  due: 'due',
  running: 'outdated',
  outdated: 'outdated',
  stopped: 'stopped',
};

const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** Runs after each change, one run at a time. Changes during a wait or pause are combined into one run. */
export function createThrottledRun({ run, schedule, clock }: ThrottledRunDeps): ThrottledRun {
  let state: State = 'idle';
  let pausedUntil = 0;
  let failures = 0;
  let timer: unknown;

  function invalidate(): void {
    const wasIdle = state === 'idle';
    state = INVALIDATED[state];
    if (!wasIdle) return;
    const waitMs = pausedUntil - clock.now();
    if (waitMs <= 0) schedule(runOnce);
    else timer = clock.setTimeout(() => schedule(runOnce), waitMs);
  }

  async function runOnce(): Promise<void> {
    if (state === 'stopped') return;
    state = 'running';
    const startedAt = clock.now();
    const outcome = await run();
    const endedAt = clock.now();
    const stateAfter = state as State;
    if (stateAfter === 'stopped') return;
    failures = outcome === 'failed' ? failures + 1 : 0;
    pausedUntil = endedAt + (failures > 0 ? retryDelayMs(failures) : pauseMs(endedAt - startedAt));
    state = 'idle';
    if (failures > 0 || stateAfter === 'outdated') invalidate();
  }

  return {
    invalidate,
    stop() {
      state = 'stopped';
      clock.clearTimeout(timer);
    },
  };
}

/**
 * The pause after a run of this length. A live query runs a quarter of the time at most: a fast one follows a burst of
 * changes closely, and a slow one does not monopolise the database.
 */
export function pauseMs(tookMs: number): number {
  return Math.min(tookMs * PAUSE_FACTOR, MAX_PAUSE_MS);
}

/** The delay before a retry, after this many consecutive failures. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
}
