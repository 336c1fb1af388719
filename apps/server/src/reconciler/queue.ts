/** What a running pass is notified of. */
export type PassControl = {
  /** Aborted when the pass works on an outdated desired state. */
  signal: AbortSignal;
  /** Resolves at the next wake of the app during this pass, if there is one. */
  nextWake(): Promise<void>;
  /** Changes of the desired state do not interrupt the pass before the returned function is called. They wake it. */
  holdInterrupts(): () => void;
  interrupt(): void;
  /** The pass knows what to do, or waits itself: the next one that waits may begin. Returns whether it was planning. */
  planned(): boolean;
  /** Resolves when it may plan again after it has waited itself. */
  planAgain(): Promise<void>;
};

/** Runs one pass for one app. An interrupted pass may reject or resolve. */
export type RunPass = (appId: string, control: PassControl) => Promise<void>;

export type QueueDeps = {
  runPass: RunPass;
  /** How many passes plan at the same time. Those of a changed desired state do not wait for others. */
  maxPlanning?: number;
  clock: { setTimeout(run: () => void, ms: number): unknown; clearTimeout(timer: unknown): void };
};

export type ReconcileQueue = {
  /** Runs a pass that starts after this call. `interrupt`: a running pass is aborted, because the desired state changed. */
  wake(appId: string, options?: { interrupt: boolean }): void;
  wakeLater(appId: string, delayMs: number): void;
  /** How many passes run now, or wait until others have planned. */
  size(): number;
  /** Interrupts every pass and resolves when all have ended. */
  stop(): Promise<void>;
};

type Running = {
  isStale: boolean;
  /** `held`: interrupted when the hold ends. */
  interrupts: 'immediate' | 'none' | 'held';
  interrupt: AbortController;
  wake: PromiseWithResolvers<void>;
};

/** Planning is mostly queries. More passes at once would only let the queries of requests wait. */
const MAX_PLANNING = 16;

/** One pass per app at a time, different apps side by side, at most one waiting entry per app. */
export function createQueue({
  runPass,
  clock,
  maxPlanning = MAX_PLANNING,
}: QueueDeps): ReconcileQueue {
  const running = new Map<string, Running>();
  /** Begins or continues the pass of an app, in the order in which they wait. */
  const waiting = new Map<string, () => void>();
  let planning = 0;
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
    size: () => passes.size + [...waiting.keys()].filter((appId) => !running.has(appId)).length,
    async stop() {
      isStopped = true;
      for (const proceed of [...waiting.values()]) proceed();
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
      if (interrupt || planning < maxPlanning) begin(appId);
      else waiting.set(appId, () => begin(appId));
      return;
    }
    current.isStale = true;
    current.wake.resolve();
    current.wake = Promise.withResolvers();
    if (interrupt) interruptLater(current);
    if (interrupt) waiting.get(appId)?.();
  }

  function begin(appId: string): void {
    waiting.delete(appId);
    if (isStopped) return;
    const pass = work(appId);
    passes.add(pass);
    void pass.finally(() => passes.delete(pass));
  }

  function planningOf(appId: string): Pick<PassControl, 'planned' | 'planAgain'> {
    let isPlanning = true;
    planning += 1;
    const start = () => {
      waiting.delete(appId);
      isPlanning = true;
      planning += 1;
    };
    return {
      planned() {
        if (!isPlanning) return false;
        isPlanning = false;
        planning -= 1;
        const [next] = waiting.values();
        if (planning < maxPlanning) next?.();
        return true;
      },
      async planAgain() {
        if (isPlanning) return;
        if (planning < maxPlanning || isStopped) return start();
        await new Promise<void>((resolve) => {
          waiting.set(appId, () => resolve(start()));
        });
      },
    };
  }

  function interruptLater(current: Running): void {
    if (current.interrupts === 'immediate') interruptNow(current);
    else current.interrupts = 'held';
  }

  function interruptNow({ interrupt }: Running): void {
    interrupt.abort(new Error('The desired state changed'));
  }

  async function work(appId: string): Promise<void> {
    for (let isStale = true; isStale && !isStopped; ) {
      const current: Running = {
        isStale: false,
        interrupts: 'immediate',
        interrupt: new AbortController(),
        wake: Promise.withResolvers(),
      };
      running.set(appId, current);
      const { signal } = current.interrupt;
      const { planned, planAgain } = planningOf(appId);
      await runPass(appId, {
        signal,
        nextWake: () => current.wake.promise,
        interrupt: () => interruptNow(current),
        planned,
        planAgain,
        holdInterrupts() {
          current.interrupts = 'none';
          return () => {
            if (current.interrupts === 'held') interruptNow(current);
            current.interrupts = 'immediate';
          };
        },
      }).catch(() => {});
      waiting.delete(appId);
      planned();
      isStale = current.isStale;
    }
    running.delete(appId);
  }

  function cancelTimer(appId: string): void {
    clock.clearTimeout(timers.get(appId));
    timers.delete(appId);
  }
}
