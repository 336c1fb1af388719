import type { Clock } from '@longshore/edge-contract';
import type { RoutedApp } from './route-table.ts';

/** Detects apps without traffic. Uses a single timer, for the app that becomes idle next. */
export type IdleDetector = {
  /** Must be called whenever the route of an app is set. */
  routeChanged(app: Readonly<RoutedApp>): void;
  stop(): void;
};

type IdleDetectorDeps = {
  clock: Clock;
  apps(): Iterable<RoutedApp>;
  /** The app had no traffic for its `sleepAfterMs`. Called again after the same time if the app stays live. */
  onIdle(appId: string): void;
};

export function createIdleDetector({ clock, apps, onIdle }: IdleDetectorDeps): IdleDetector {
  let timer: unknown;
  let timerAt = Number.POSITIVE_INFINITY;

  function scheduleCheck(time: number): void {
    if (time >= timerAt) return;
    clock.clearTimeout(timer);
    timerAt = time;
    timer = clock.setTimeout(checkAll, Math.max(0, time - clock.now()));
  }

  function checkAll(): void {
    timerAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    const idleAppIds: string[] = [];
    for (const app of apps()) {
      if (idleAt(app, now) <= now) {
        idleAppIds.push(app.id);
        app.lastActiveAt = now;
      }
      scheduleCheck(idleAt(app, now));
    }
    for (const appId of idleAppIds) onIdle(appId);
  }

  return {
    routeChanged: (app) => scheduleCheck(idleAt(app, clock.now())),
    stop() {
      clock.clearTimeout(timer);
      timerAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** The time at which the app becomes idle if no further request arrives. */
function idleAt(
  { state, sleepAfterMs, openRequests, lastActiveAt }: Readonly<RoutedApp>,
  now: number,
): number {
  if (state.kind !== 'live' || sleepAfterMs === undefined) return Number.POSITIVE_INFINITY;
  return (openRequests > 0 ? now : lastActiveAt) + sleepAfterMs;
}
