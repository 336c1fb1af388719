/** One run of the server, from its start until it is killed. */
export type Life = {
  isOver(): boolean;
  /** The server is killed at the n-th call from now that goes out or comes back. */
  endIn(calls: number): void;
  end(): void;
  /** Makes a call; one whose server is killed before it goes out or comes back never ends. */
  call<T>(make: () => Promise<T>): Promise<T>;
};

export function createLife(onEnd: () => void): Life {
  let isOver = false;
  let callsLeft = Number.POSITIVE_INFINITY;

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }

  /** Answers whether the server is still there. */
  function pass(): boolean {
    callsLeft -= 1;
    if (callsLeft <= 0) end();
    return !isOver;
  }

  return {
    isOver: () => isOver,
    endIn(calls) {
      callsLeft = calls;
    },
    end,
    async call(make) {
      if (!pass()) return await never();
      const [outcome] = await Promise.allSettled([make()]);
      if (!pass()) return await never();
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
