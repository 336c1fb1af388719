import type { Clock } from '../../schedule/clock.ts';
import { restMs, retryMs } from './pace.ts';

export type PacedRun = {
  /** What it looks at may have changed. */
  touch(): void;
  stop(): void;
};

export type PacedRunDeps = {
  /** `failed`: it is to be tried again by itself. Never rejects. */
  run: () => Promise<'done' | 'failed'>;
  schedule: (work: () => Promise<void>) => void;
  clock: Clock;
};

/** `due`: waits for its rest to end or for its turn. `overtaken`: runs, and something changed since it began. */
type State = 'fresh' | 'due' | 'running' | 'overtaken' | 'stopped';

const TOUCHED: Record<State, State> = {
  fresh: 'due',
  due: 'due',
  running: 'overtaken',
  overtaken: 'overtaken',
  stopped: 'stopped',
};

/** Runs after each change, one run at a time. Changes that come while it waits or rests count as one. */
export function createPacedRun({ run, schedule, clock }: PacedRunDeps): PacedRun {
  let state: State = 'fresh';
  let restsUntil = 0;
  let failures = 0;
  let rest: unknown;

  function touch(): void {
    const wasFresh = state === 'fresh';
    state = TOUCHED[state];
    if (!wasFresh) return;
    const waitMs = restsUntil - clock.now();
    if (waitMs <= 0) schedule(runOnce);
    else rest = clock.setTimeout(() => schedule(runOnce), waitMs);
  }

  async function runOnce(): Promise<void> {
    if (state === 'stopped') return;
    state = 'running';
    const begunAt = clock.now();
    const outcome = await run();
    const endedAt = clock.now();
    const after = state as State;
    if (after === 'stopped') return;
    failures = outcome === 'failed' ? failures + 1 : 0;
    restsUntil = endedAt + (failures > 0 ? retryMs(failures) : restMs(endedAt - begunAt));
    state = 'fresh';
    if (failures > 0 || after === 'overtaken') touch();
  }

  return {
    touch,
    stop() {
      state = 'stopped';
      clock.clearTimeout(rest);
    },
  };
}
