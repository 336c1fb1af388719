import { HEALTH_CHECK_DEFAULTS, type HealthCheck, healthCheckText } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { backoffDelayMs } from '../retries.ts';
import { failuresAfter, type UnhealthyRelease, verdictOf } from './health-rules.ts';
import type { Probe, ProbeTarget } from './probe.ts';

/** An instance that serves and is checked. */
export type WatchedInstance = ProbeTarget & { logName: string; release: number };

export type AppHealth = {
  /** Log names of instances to replace. */
  unhealthy: string[];
  /** Log names of instances that have passed their last check. */
  passing: string[];
  /** What a check of an unhealthy instance found last. */
  problem: string | undefined;
  /** To be rolled back, if another release served before it. */
  release: UnhealthyRelease | undefined;
};

/**
 * Checks the instances that serve, while they serve. Nothing is stored: the next server starts counting at zero, so its start
 * makes no instance unhealthy.
 */
export type HealthMonitor = {
  /** Replaces what is checked of an app. */
  watch(appId: string, instances: WatchedInstance[]): void;
  of(appId: string): AppHealth;
  /** A release got the traffic for the first time. */
  recordSwitch(appId: string, release: number): void;
  /** The instances of a release crash again and again. */
  recordCrashLoop(appId: string, release: number): void;
  /** This server started the instance. */
  recordStart(logName: string): void;
  isStartedHere(logName: string): boolean;
  /** Resolves when the instance passes its check. `requireRunning` rejects when it has exited. */
  waitUntilHealthy(
    target: ProbeTarget,
    options: { until: number; requireRunning(): Promise<void>; signal: AbortSignal },
  ): Promise<void>;
  forget(appId: string): void;
  stop(): void;
};

type MonitorDeps = {
  clock: Clock;
  probe: Probe;
  /** Called when the health of an app changed, and when an instance may be replaced after a pause. */
  changed(appId: string): void;
};

type Watch = {
  instance: WatchedInstance;
  failures: number;
  problem: string;
  since: number;
  /** When it may be replaced, once it is unhealthy. */
  replaceAt: number;
  timer: unknown;
  /** Wakes the app at `replaceAt`. */
  wake: unknown;
  stopped: AbortController;
};

/** Of one app. `replaced`: in a row. */
type AppWatches = {
  byLogName: Map<string, Watch>;
  replaced: number;
  switched?: { release: number; at: number };
  crashing?: UnhealthyRelease;
};

/** Checks that run at once, of all apps. */
const MAX_PROBES = 20;
/** An instance that was healthy this long is replaced without a pause. */
const STABLE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;
const MAX_STARTED = 10_000;
const NO_HEALTH: AppHealth = {
  unhealthy: [],
  passing: [],
  problem: undefined,
  release: undefined,
};

export function createHealthMonitor({ clock, probe, changed }: MonitorDeps): HealthMonitor {
  const apps = new Map<string, AppWatches>();
  const started = new Set<string>();
  const slots = createSemaphore(MAX_PROBES);

  function appOf(appId: string): AppWatches {
    const app = apps.get(appId) ?? { byLogName: new Map(), replaced: 0 };
    apps.set(appId, app);
    return app;
  }

  function watch(appId: string, instances: WatchedInstance[]): void {
    if (instances.length === 0 && !apps.has(appId)) return;
    const app = appOf(appId);
    const kept = new Set(instances.map(({ logName }) => logName));
    for (const [logName, each] of app.byLogName) {
      if (kept.has(logName)) continue;
      end(each);
      app.byLogName.delete(logName);
    }
    for (const instance of instances) {
      const known = app.byLogName.get(instance.logName);
      if (known !== undefined) known.instance = instance;
      else begin(appId, app, instance);
    }
  }

  function begin(appId: string, app: AppWatches, instance: WatchedInstance): void {
    const since = clock.now();
    const stopped = new AbortController();
    const begun: Watch = {
      ...{ instance, failures: 0, problem: '', since, replaceAt: 0 },
      ...{ timer: undefined, wake: undefined, stopped },
    };
    app.byLogName.set(instance.logName, begun);
    schedule(appId, begun);
  }

  function end({ timer, wake, stopped }: Watch): void {
    clock.clearTimeout(timer);
    clock.clearTimeout(wake);
    stopped.abort();
  }

  function schedule(appId: string, each: Watch): void {
    const { intervalSeconds = HEALTH_CHECK_DEFAULTS.intervalSeconds } = each.instance.check;
    const dueAt = clock.now() + intervalSeconds * 1_000;
    each.timer = clock.setTimeout(() => void check(appId, each, dueAt), dueAt - clock.now());
  }

  async function check(appId: string, each: Watch, dueAt: number): Promise<void> {
    const lagMs = clock.now() - dueAt;
    const { signal } = each.stopped;
    try {
      await slots.run(async () => {
        const startedAt = clock.now();
        const result = await probe(each.instance, signal);
        const elapsedMs = clock.now() - startedAt;
        const wasUnhealthy = isUnhealthy(each);
        each.failures = failuresAfter(each.failures, result, { lagMs, elapsedMs });
        if (result.kind === 'failed') each.problem = result.problem;
        if (wasUnhealthy !== isUnhealthy(each)) recordChange(appId, each);
      }, signal);
    } catch {
      // Aborted: it does not serve any more.
    }
    if (!signal.aborted) schedule(appId, each);
  }

  /** The first one is replaced at once, the next ones after growing pauses. */
  function recordChange(appId: string, each: Watch): void {
    if (isUnhealthy(each)) {
      const app = appOf(appId);
      const now = clock.now();
      if (now - each.since >= STABLE_MS) app.replaced = 0;
      const pauseMs = app.replaced === 0 ? 0 : backoffDelayMs(app.replaced);
      app.replaced += 1;
      each.replaceAt = now + pauseMs;
      clock.clearTimeout(each.wake);
      each.wake = clock.setTimeout(() => changed(appId), pauseMs);
    }
    changed(appId);
  }

  function problemOf({ instance, problem }: Watch): string {
    return `${healthCheckText(instance.check)}: ${problem}`;
  }

  return {
    watch,
    of(appId) {
      const app = apps.get(appId);
      if (app === undefined) return NO_HEALTH;
      const watches = [...app.byLogName.values()];
      const failing = watches.filter(isUnhealthy);
      const due = failing.filter(({ replaceAt }) => clock.now() >= replaceAt);
      const early = failing.find(
        (each) => isEarly(app, each) && !isPassed(app, each.instance.release),
      );
      const release =
        early === undefined
          ? app.crashing
          : { number: early.instance.release, problem: problemOf(early) };
      return {
        unhealthy: due.map(({ instance }) => instance.logName),
        passing: watches.filter(isPassing).map(({ instance }) => instance.logName),
        problem: failing[0] && problemOf(failing[0]),
        release,
      };
    },
    recordSwitch(appId, release) {
      const app = appOf(appId);
      app.switched = { release, at: clock.now() };
      delete app.crashing;
    },
    recordCrashLoop(appId, number) {
      const app = apps.get(appId);
      if (app === undefined || !isEarlyRelease(app, number, 1, 1)) return;
      if (isPassed(app, number)) return;
      app.crashing = { number, problem: 'The app crashed again and again after the switch.' };
    },
    recordStart(logName) {
      started.add(logName);
      const [oldest] = started;
      if (started.size > MAX_STARTED && oldest !== undefined) started.delete(oldest);
    },
    isStartedHere: (logName) => started.has(logName),
    async waitUntilHealthy(target, { until, requireRunning, signal }) {
      const begun = clock.now();
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LAST_PAUSE_MS)) {
        const result = await slots.run(() => probe(target, signal), signal);
        if (result.kind === 'passed') return;
        await requireRunning();
        if (clock.now() >= until) {
          const waited = Math.round((clock.now() - begun) / 1_000);
          throw new EngineFailure('health-check-failed', [
            `${healthCheckText(target.check)}: ${result.problem}`,
            `Checked for ${waited} s after the app accepted connections.`,
          ]);
        }
        await wait(clock, Math.min(pauseMs, Math.max(1, until - clock.now())), signal);
      }
    },
    forget(appId) {
      watch(appId, []);
      apps.delete(appId);
    },
    stop() {
      for (const appId of apps.keys()) watch(appId, []);
    },
  };

  function isEarly(app: AppWatches, { failures, instance }: Watch): boolean {
    return isEarlyRelease(app, instance.release, failures, thresholdOf(instance.check));
  }

  function isEarlyRelease(
    { switched }: AppWatches,
    release: number,
    failures: number,
    threshold: number,
  ): boolean {
    const sinceSwitchMs = switched?.release === release ? clock.now() - switched.at : undefined;
    return verdictOf({ failures, threshold, sinceSwitchMs }) === 'roll-back';
  }
}

/** Whether any instance of the release that serves passes its check. */
function isPassed({ byLogName }: AppWatches, release: number): boolean {
  return [...byLogName.values()].some(
    (each) => each.instance.release === release && isPassing(each),
  );
}

function isPassing({ failures }: Watch): boolean {
  return failures === 0;
}

function isUnhealthy({ failures, instance }: Watch): boolean {
  return failures >= thresholdOf(instance.check);
}

function thresholdOf({ failureThreshold }: HealthCheck): number {
  return failureThreshold ?? HEALTH_CHECK_DEFAULTS.failureThreshold;
}

function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clock.clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = clock.setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', abort, { once: true });
  });
}
