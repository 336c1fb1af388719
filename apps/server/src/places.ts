/** A few places that callers take in turn. */
export function createPlaces(count: number): (signal: AbortSignal) => Promise<() => void> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (signal) => {
    while (free === 0) await turn(signal);
    free -= 1;
    return leave;
  };

  function leave(): void {
    free += 1;
    waiting.shift()?.();
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stopWaiting = () => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(signal.reason);
      };
      const come = () => {
        signal.removeEventListener('abort', stopWaiting);
        resolve();
      };
      signal.addEventListener('abort', stopWaiting, { once: true });
      waiting.push(come);
    });
  }
}
