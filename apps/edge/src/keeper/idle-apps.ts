import type { AppRoute, Clock } from '@longshore/edge-contract';

/** Detects apps without traffic. One timer, for the app that may be idle next; workers are asked only when it is due. */
export type IdleApps = {
  routeChanged(route: AppRoute): void;
  removed(appId: string): void;
  /** Calls `onIdle` if the app is idle now. */
  ask(appId: string): Promise<void>;
  /** A worker crashed: nobody knows which apps it served last. */
  activityLost(): void;
  /** A worker exits. What it knows about the last traffic. */
  workerEnded(quietMs: Record<string, number>): void;
  stop(): void;
};

export type IdleAppsDeps = {
  clock: Clock;
  /** The shortest time without traffic in all workers, of each app that had any since they started. */
  quietMs(): Promise<Record<string, number>>;
  onIdle(appId: string): void;
};

type SleepyApp = {
  sleepAfterMs: number;
  /** The last activity that workers may not know of. */
  activeAt: number;
  dueAt: number;
};

const MAX_TIMER_MS = 2_147_483_647;

export function createIdleApps({ clock, quietMs, onIdle }: IdleAppsDeps): IdleApps {
  const apps = new Map<string, SleepyApp>();
  let timer: unknown;
  let timerAt = Number.POSITIVE_INFINITY;
  let isChecking = false;

  function schedule(dueAt: number): void {
    if (isChecking || dueAt >= timerAt) return;
    clock.clearTimeout(timer);
    timerAt = dueAt;
    const waitMs = Math.min(MAX_TIMER_MS, Math.max(0, dueAt - clock.now()));
    timer = clock.setTimeout(() => void check(), waitMs);
  }

  async function check(): Promise<void> {
    isChecking = true;
    timerAt = Number.POSITIVE_INFINITY;
    const due = [...apps].filter(([, app]) => app.dueAt <= clock.now());
    const quiet = await quietMs();
    isChecking = false;
    for (const [appId, app] of due) {
      if (apps.get(appId) === app) judge(appId, app, quiet[appId] ?? Number.POSITIVE_INFINITY);
    }
    for (const { dueAt } of apps.values()) schedule(dueAt);
  }

  function judge(appId: string, app: SleepyApp, quietMs: number): void {
    const now = clock.now();
    const activeAt = Math.max(app.activeAt, now - quietMs);
    const isIdle = now - activeAt >= app.sleepAfterMs;
    // The server may be away or unable to hibernate the app now.
    app.dueAt = (isIdle ? now : activeAt) + app.sleepAfterMs;
    if (isIdle) onIdle(appId);
  }

  return {
    routeChanged({ appId, state, sleepAfterMs }) {
      if (state.kind !== 'live' || sleepAfterMs === undefined) return void apps.delete(appId);
      const known = apps.get(appId);
      if (known?.sleepAfterMs === sleepAfterMs) return;
      const activeAt = known?.activeAt ?? clock.now();
      const dueAt = activeAt + sleepAfterMs;
      apps.set(appId, { sleepAfterMs, activeAt, dueAt });
      schedule(dueAt);
    },
    removed: (appId) => void apps.delete(appId),
    async ask(appId) {
      const { [appId]: quiet = Number.POSITIVE_INFINITY } = await quietMs();
      const app = apps.get(appId);
      if (app !== undefined) judge(appId, app, quiet);
    },
    activityLost() {
      for (const app of apps.values()) app.activeAt = clock.now();
    },
    workerEnded(quietMs) {
      for (const [appId, ms] of Object.entries(quietMs)) {
        const app = apps.get(appId);
        if (app !== undefined) app.activeAt = Math.max(app.activeAt, clock.now() - ms);
      }
    },
    stop() {
      apps.clear();
      clock.clearTimeout(timer);
    },
  };
}
