/** One run of the server, from its start until it stops or is killed. */
export type ServerRun = {
  hasEnded(): boolean;
  /** Kills the server at the n-th request or response of a call from now. */
  killAfterCalls(calls: number): void;
  kill(): void;
  /** Makes a call. If the server is killed before the request or the response, the call never ends. */
  call<T>(make: () => Promise<T>): Promise<T>;
};

export function createServerRun(onKill: () => void): ServerRun {
  let hasEnded = false;
  let callsLeft = Number.POSITIVE_INFINITY;

  function kill(): void {
    if (hasEnded) return;
    hasEnded = true;
    onKill();
  }

  /** Returns whether the server still runs. */
  function countCall(): boolean {
    callsLeft -= 1;
    if (callsLeft <= 0) kill();
    return !hasEnded;
  }

  return {
    hasEnded: () => hasEnded,
    killAfterCalls(calls) {
      callsLeft = calls;
    },
    kill,
    async call(make) {
      if (!countCall()) return await never();
      const [outcome] = await Promise.allSettled([make()]);
      if (!countCall()) return await never();
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
