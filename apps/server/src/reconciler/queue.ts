/** What a pass hears of what happens while it goes on. */
export type Turn = {
  /** What is being made is not wanted any more. */
  signal: AbortSignal;
  /** Resolves when the app is woken the next time, and never if that is not before the pass ends. */
  nextWake(): Promise<void>;
};

/** Runs one pass for one app; a pass that was interrupted rejects or resolves, both are fine. */
export type RunPass = (appId: string, turn: Turn) => Promise<void>;

export type QueueDeps = {
  runPass: RunPass;
  clock: { setTimeout(run: () => void, ms: number): unknown; clearTimeout(timer: unknown): void };
};

export type ReconcileQueue = {
  /** A pass will see the world as it is after this call. `interrupt`: what is being made is not wanted any more. */
  wake(appId: string, options?: { interrupt: boolean }): void;
  wakeLater(appId: string, delayMs: number): void;
  /** Interrupts every pass and resolves when all have ended. */
  stop(): Promise<void>;
};

type Running = { isStale: boolean; interrupt: AbortController; wake: PromiseWithResolvers<void> };

/** One pass per app at a time, different apps side by side, at most one waiting entry per app. */
export function createQueue({ runPass, clock }: QueueDeps): ReconcileQueue {
  const running = new Map<string, Running>();
  const timers = new Map<string, unknown>();
  const passes = new Set<Promise<void>>();
  let isStopped = false;

  return {
    wake,
    wakeLater(appId, delayMs) {
      cancelTimer(appId);
      if (isStopped) return;
      timers.set(
        appId,
        clock.setTimeout(() => wake(appId), delayMs),
      );
    },
    async stop() {
      isStopped = true;
      for (const appId of timers.keys()) cancelTimer(appId);
      for (const { interrupt } of running.values())
        interrupt.abort(new Error('The server is stopping'));
      await Promise.all(passes);
    },
  };

  function wake(appId: string, { interrupt } = { interrupt: false }): void {
    if (isStopped) return;
    cancelTimer(appId);
    const current = running.get(appId);
    if (current === undefined) {
      const pass = work(appId);
      passes.add(pass);
      void pass.finally(() => passes.delete(pass));
      return;
    }
    current.isStale = true;
    current.wake.resolve();
    current.wake = Promise.withResolvers();
    if (interrupt) current.interrupt.abort(new Error('A newer wish came'));
  }

  async function work(appId: string): Promise<void> {
    for (let isStale = true; isStale && !isStopped; ) {
      const current: Running = {
        isStale: false,
        interrupt: new AbortController(),
        wake: Promise.withResolvers(),
      };
      running.set(appId, current);
      const { signal } = current.interrupt;
      await runPass(appId, { signal, nextWake: () => current.wake.promise }).catch(() => {});
      isStale = current.isStale;
    }
    running.delete(appId);
  }

  function cancelTimer(appId: string): void {
    clock.clearTimeout(timers.get(appId));
    timers.delete(appId);
  }
}
