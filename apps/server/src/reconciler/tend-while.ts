import type { Clock } from '../clock.ts';
import type { Turn } from './queue.ts';

type Tending = {
  /** Looks after what has to go on meanwhile; answers when to look the next time, if not only when woken. */
  tend(): Promise<number | undefined>;
  turn: Turn;
  clock: Clock;
  /** Told when tending fails, which is no reason to stop the work. */
  onError(error: unknown): void;
};

const BROKEN_MS = 5_000;

/** Waits for long work, and tends at its beginning and at each wake. */
export async function tendWhile<T>(work: Promise<T>, tending: Tending): Promise<T> {
  const { tend, turn, clock, onError } = tending;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const over = work.then(end, end);
  while (!isOver) {
    const woken = turn.nextWake();
    const until = await tend().catch((error: unknown) => {
      if (!turn.signal.aborted) onError(error);
      return clock.now() + BROKEN_MS;
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
