import type { Clock } from '../clock.ts';
import type { RoutedApp } from './route-table.ts';

/** Notices apps that nobody visits. One timer, for the app that may be due next. */
export type IdleWatch = {
  /** To be told of an app whose route was set. */
  look(app: RoutedApp): void;
  stop(): void;
};

type IdleWatchDeps = {
  clock: Clock;
  apps(): Iterable<RoutedApp>;
  /** Nobody visited the app for as long as it allows. If it does not sleep then, it is told again as much later. */
  idle(appId: string): void;
};

export function createIdleWatch({ clock, apps, idle }: IdleWatchDeps): IdleWatch {
  let timer: unknown;
  let timerAt = Number.POSITIVE_INFINITY;

  function wakeAt(time: number): void {
    if (time >= timerAt) return;
    clock.clearTimeout(timer);
    timerAt = time;
    timer = clock.setTimeout(lookAtAll, Math.max(0, time - clock.now()));
  }

  function lookAtAll(): void {
    timerAt = Number.POSITIVE_INFINITY;
    const now = clock.now();
    const due: string[] = [];
    for (const app of apps()) {
      if (idleAt(app, now) <= now) {
        due.push(app.id);
        app.lastVisitAt = now;
      }
      wakeAt(idleAt(app, now));
    }
    for (const appId of due) idle(appId);
  }

  return {
    look: (app) => wakeAt(idleAt(app, clock.now())),
    stop() {
      clock.clearTimeout(timer);
      timerAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** When an app will have been without a visitor for as long as it allows, if nobody comes. */
function idleAt({ route, openVisits, lastVisitAt }: RoutedApp, now: number): number {
  if (route.kind !== 'live' || route.sleepAfterMs === undefined) return Number.POSITIVE_INFINITY;
  return (openVisits > 0 ? now : lastVisitAt) + route.sleepAfterMs;
}
