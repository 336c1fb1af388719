/** Waits for a place; answers how to leave it. Without a signal one waits as long as it takes. */
export type TakePlace = (signal?: AbortSignal) => Promise<() => void>;

/** A few places. Whoever waits longest comes next. */
export function createPlaces(count: number): TakePlace {
  let free = count;
  const waiting = new Set<() => void>();
  return async (signal) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await turn(signal);
    return leave;
  };

  /** The place itself is handed on, so that nobody who comes now can take it first. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(come);
        reject(signal?.reason);
      };
      const come = () => {
        waiting.delete(come);
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.add(come);
    });
  }
}
