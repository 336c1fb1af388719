import { chartNameOf } from '@longshore/contract';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import type { Change } from '../db/change.ts';
import { desiredApp } from './desired.ts';
import { createHealthMonitor } from './health/health-monitor.ts';
import type { Probe } from './health/probe.ts';
import { reconcile } from './pass.ts';
import type { PassDeps } from './pass-context.ts';
import { createProcessRetries } from './processes/process-retries.ts';
import { createQueue, type PassControl } from './queue.ts';
import { createRetries } from './retries.ts';
import { createAppRouting, type RoutePort } from './routing.ts';

export type ReconcilerDeps = Omit<
  PassDeps,
  'routing' | 'retries' | 'processRetries' | 'health' | 'buildSlots'
> & {
  /** Checks the health of an instance. */
  probe: Probe;
  routes: RoutePort;
  listen: (listener: (change: Change) => void) => () => void;
  /** Of all owners at once. */
  maxBuilds: number;
};

export type Reconciler = {
  /** Adds a route for every app, so that requests before an app's first pass are held instead of refused. */
  addPendingRoutes(): Promise<void>;
  /** Runs a pass for every app in the database, and for every app that has a build or an instance on the engine. */
  start(): Promise<void>;
  /** The builds of an owner that run or wait for a slot. */
  buildsOf(ownerId: string): { running: number; waiting: number };
  /** What it does now, for all owners. */
  load(): { builds: { running: number; waiting: number }; reconciling: number };
  /** Runs a pass for an app after a change outside its values. */
  requestPass(appId: string): void;
  stop(): Promise<void>;
};

const RESYNC_MS = 600_000;

/**
 * Makes the engine match the desired state of every app. A pass is caused by NOTIFY, by an event of the engine, and by a slow
 * resync.
 */
export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { store, engine, clock, maxBuilds } = deps;
  const buildSlots = createFairQueue({ maxRunning: maxBuilds, maxRunningPerKey: maxBuilds });
  const stopping = new AbortController();
  const queue = createQueue({ runPass, clock });
  const passDeps: PassDeps = {
    store,
    engine,
    routing: createAppRouting(deps.routes),
    retries: createRetries({ clock, wakeLater: queue.wakeLater }),
    processRetries: createProcessRetries(clock),
    health: createHealthMonitor({ clock, probe: deps.probe, changed: (id) => queue.wake(id) }),
    lastLines: deps.lastLines,
    deleteStored: deps.deleteStored,
    buildSlots,
    ownerLimits: deps.ownerLimits,
    tiers: deps.tiers,
    baseDomain: deps.baseDomain,
    refusalOf: deps.refusalOf,
    clock,
    logError: deps.logError,
  };
  const stopListening = deps.listen(onChange);
  const stopWatching = engine.watch((appId) => queue.wake(appId));
  let resyncTimer: unknown;

  return {
    async addPendingRoutes() {
      const apps = await store.existingApps();
      const owners = [...new Set(apps.map(({ ownerId }) => ownerId))];
      const refusals = new Map<string, string[] | undefined>();
      for (const ownerId of owners) refusals.set(ownerId, await deps.refusalOf(ownerId));
      for (const app of apps) {
        const refusal = refusals.get(app.ownerId);
        passDeps.routing.addPending(desiredApp(app, deps.baseDomain, refusal));
      }
    },
    start: resync,
    buildsOf: buildSlots.countsOf,
    load: () => ({ builds: buildSlots.totals(), reconciling: queue.size() }),
    requestPass: (appId) => queue.wake(appId),
    async stop() {
      stopping.abort();
      stopListening();
      stopWatching();
      clock.clearTimeout(resyncTimer);
      await queue.stop();
      // Last: a pass may have begun to watch instances.
      passDeps.health.stop();
    },
  };

  function onChange(change: Change): void {
    if (change.kind === 'missed') void resync();
    if (change.kind !== 'resource') return;
    const { id, chartName, isNewGeneration, isRetryRequested, isEdgeChange } = change.change;
    if (chartName !== chartNameOf('app')) return;
    if (isNewGeneration || isRetryRequested || isEdgeChange)
      queue.wake(id, { interrupt: isNewGeneration });
  }

  async function resync(): Promise<void> {
    try {
      const stored = await store.appIds();
      const onEngine = await engine.listApps(stopping.signal);
      for (const appId of new Set([...stored, ...onEngine])) queue.wake(appId);
    } catch (error) {
      if (!stopping.signal.aborted) deps.logError(error, 'all');
    }
    if (!stopping.signal.aborted) {
      clock.clearTimeout(resyncTimer);
      resyncTimer = clock.setTimeout(() => void resync(), RESYNC_MS);
    }
  }

  async function runPass(appId: string, control: PassControl): Promise<void> {
    try {
      await reconcile(appId, control, passDeps);
    } catch (error) {
      if (control.signal.aborted) return;
      deps.logError(error, appId);
      passDeps.retries.repeatPass(appId);
    }
  }
}
