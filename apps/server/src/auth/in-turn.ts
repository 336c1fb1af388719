export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Does a few works at once; the others wait, and come in the order in which they asked. */
export function createInTurn(atOnce: number): InTurn {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    await place();
    try {
      return await work();
    } finally {
      leave();
    }
  };

  async function place(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** Whoever waits longest gets the place itself, so that nobody who comes now can take it first. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}
