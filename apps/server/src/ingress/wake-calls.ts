import type { Clock } from '../clock.ts';
import type { Route } from './route-table.ts';

/** Asks for apps to be woken: each once, and only a few at a time, so that a crawler cannot start them all at once. */
export type WakeCalls = {
  want(appId: string): void;
  /** To be told of every route that is set; undefined when the app has none any more. */
  routeIs(appId: string, route: Route | undefined): void;
  stop(): void;
};

type WakeCallsDeps = {
  clock: Clock;
  wake(appId: string): Promise<void>;
  wakesAtOnce: number;
  /** An app that takes longer than this no longer keeps others from being woken. */
  wakeMs: number;
  logError(error: unknown, appId: string): void;
};

export function createWakeCalls(deps: WakeCallsDeps): WakeCalls {
  const { clock, wakesAtOnce, wakeMs } = deps;
  const wanted = new Set<string>();
  const underWay = new Map<string, unknown>();

  function callNext(): void {
    for (const appId of wanted) {
      if (underWay.size >= wakesAtOnce) return;
      wanted.delete(appId);
      const timer = clock.setTimeout(() => end(appId), wakeMs);
      underWay.set(appId, timer);
      deps.wake(appId).catch((error: unknown) => {
        deps.logError(error, appId);
        end(appId);
      });
    }
  }

  function end(appId: string): void {
    clock.clearTimeout(underWay.get(appId));
    underWay.delete(appId);
    callNext();
  }

  return {
    want(appId) {
      if (underWay.has(appId)) return;
      wanted.add(appId);
      callNext();
    },
    routeIs(appId, route) {
      const isOver = route === undefined || route.kind === 'live' || route.kind === 'failed';
      if (!isOver) return;
      wanted.delete(appId);
      if (underWay.has(appId)) end(appId);
    },
    stop() {
      wanted.clear();
      for (const timer of underWay.values()) clock.clearTimeout(timer);
      underWay.clear();
    },
  };
}
