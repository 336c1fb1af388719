import type { Clock } from '@longshore/edge-contract';
import type { PassControl } from './queue.ts';

type Repetition = {
  /** Returns when to run next. Undefined: at the next wake only. */
  run(): Promise<number | undefined>;
  /** Resolves when `run` is called for the first time. Undefined: at the start. */
  firstWake?: Promise<void>;
  control: PassControl;
  clock: Clock;
  /** Called when a run fails. The work continues. */
  onError(error: unknown): void;
};

const RETRY_MS = 5_000;

/** Waits for long work. Until it ends, calls `run` at the start, at each wake, and at the times that `run` returns. */
export async function repeatDuring<T>(work: Promise<T>, repetition: Repetition): Promise<T> {
  const { run, firstWake, control, clock, onError } = repetition;
  let isOver = false;
  const markOver = () => {
    isOver = true;
  };
  const over = work.then(markOver, markOver);
  await Promise.race([over, firstWake]);
  while (!isOver) {
    const woken = control.nextWake();
    const until = await run().catch((error: unknown) => {
      if (!control.signal.aborted) onError(error);
      return clock.now() + RETRY_MS;
    });
    const pause = pauseUntil(until, clock);
    await Promise.race([over, woken, pause.ended]);
    pause.cancel();
  }
  return await work;
}

function pauseUntil(time: number | undefined, clock: Clock) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const timer =
    time === undefined ? undefined : clock.setTimeout(resolve, Math.max(0, time - clock.now()));
  return { ended, cancel: () => clock.clearTimeout(timer) };
}
