import type { Clock } from '../schedule/clock.ts';
import type { Route } from './route-table.ts';

/** Wakes apps: each once, and only a few at a time, so that a crawler cannot start all apps at once. */
export type WakeRequests = {
  request(appId: string): void;
  /** Must be called whenever a route is set; with undefined when the app has no route any more. */
  routeChanged(appId: string, route: Route | undefined): void;
  stop(): void;
};

type WakeRequestsDeps = {
  clock: Clock;
  /** `refused`: the app may not wake now. */
  wake(appId: string): Promise<'done' | 'refused'>;
  onRefused(appId: string): void;
  concurrentWakes: number;
  /** An app that takes longer than this no longer counts towards `concurrentWakes`. */
  wakeTimeoutMs: number;
  logError(error: unknown, appId: string): void;
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
      void wake(appId);
    }
  }

  async function wake(appId: string): Promise<void> {
    try {
      if ((await deps.wake(appId)) === 'done') return;
      deps.onRefused(appId);
    } catch (error) {
      deps.logError(error, appId);
    }
    finish(appId);
  }

  function finish(appId: string): void {
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
    routeChanged(appId, route) {
      const isFinished = route === undefined || route.kind === 'live' || route.kind === 'failed';
      if (!isFinished) return;
      queued.delete(appId);
      if (timersOfWaking.has(appId)) finish(appId);
    },
    stop() {
      queued.clear();
      for (const timer of timersOfWaking.values()) clock.clearTimeout(timer);
      timersOfWaking.clear();
    },
  };
}
