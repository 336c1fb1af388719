import type { Clock, RouteState } from '@longshore/edge-contract';

/** Wakes apps: each once, and only a few at a time, so that a crawler cannot start all apps at once. */
export type WakeRequests = {
  request(appId: string): void;
  /** The app may not wake now. The next request for it asks again. */
  refused(appId: string): void;
  /** Must be called whenever a route is set; with undefined when the app has no route any more. */
  routeChanged(appId: string, state: RouteState | undefined): void;
  stop(): void;
};

type WakeRequestsDeps = {
  clock: Clock;
  /** Answered by `routeChanged` or `refused`. */
  wake(appId: string): void;
  concurrentWakes: number;
  /** An app that takes longer than this no longer counts towards `concurrentWakes`. */
  wakeTimeoutMs: number;
};

export function createWakeRequests(deps: WakeRequestsDeps): WakeRequests {
  const { clock, concurrentWakes, wakeTimeoutMs } = deps;
  const queued = new Set<string>();
  const timersOfWaking = new Map<string, unknown>();

  function wakeNext(): void {
    for (const appId of queued) {
      if (timersOfWaking.size >= concurrentWakes) return;
      queued.delete(appId);
      const timer = clock.setTimeout(() => finish(appId), wakeTimeoutMs);
      timersOfWaking.set(appId, timer);
      deps.wake(appId);
    }
  }

  function finish(appId: string): void {
    queued.delete(appId);
    if (!timersOfWaking.has(appId)) return;
    clock.clearTimeout(timersOfWaking.get(appId));
    timersOfWaking.delete(appId);
    wakeNext();
  }

  return {
    request(appId) {
      if (timersOfWaking.has(appId)) return;
      queued.add(appId);
      wakeNext();
    },
    refused: finish,
    routeChanged(appId, state) {
      const isFinished = state === undefined || state.kind === 'live' || state.kind === 'failed';
      if (isFinished) finish(appId);
    },
    stop() {
      queued.clear();
      for (const timer of timersOfWaking.values()) clock.clearTimeout(timer);
      timersOfWaking.clear();
    },
  };
}
