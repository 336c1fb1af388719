import { settle } from '@longshore/testkit';
import type { Change } from '../../../src/db/change.ts';
import { createReconciler } from '../../../src/reconciler/reconciler.ts';
import type { RoutePort } from '../../../src/reconciler/routing.ts';
import { NO_OWNER_LIMITS } from '../../no-limits.ts';
import { TIERS } from '../../tiers.ts';
import { createMemoryRoutes, type MemoryRoutes } from '../memory-routes.ts';
import type { Environment } from './environment.ts';
import { createFaultyEngine } from './faulty-engine.ts';
import { createFaultyStore } from './faulty-store.ts';
import { BASE_DOMAIN, createInvariants } from './invariants.ts';
import { createServerRun, type ServerRun } from './server-run.ts';

const MAX_BUILDS = 2;
const DRAIN_MS = 10_000;
const APPLY_MS = 1_000;

export type SimulatedServer = {
  run: ServerRun;
  routes: MemoryRoutes;
  /** Loses the connection that receives notifications, or restores it. */
  setListening(isListening: boolean): void;
  /** Graceful stop. */
  stop(): Promise<void>;
};

/** One server in an environment. Its routes and retries are lost when it stops; store and engine stay. */
export function startSimulatedServer(environment: Environment): SimulatedServer {
  const { clock, faults, store, logs } = environment;
  const run = createServerRun(() => stopListening());
  const routes = createMemoryRoutes();
  const invariants = createInvariants(environment, routes, MAX_BUILDS);
  const listeners = new Set<(change: Change) => void>();
  let isListening = true;
  const stopListening = store.listen((change) => {
    if (isListening) for (const listener of listeners) listener(change);
  });

  const checkedRoutes: RoutePort = {
    set(appId, hosts, route) {
      invariants.routed(appId, routes.of(appId)?.route, route);
      routes.set(appId, hosts, route);
    },
    add: routes.add,
    remove: routes.remove,
    drained: () => run.call(() => faults.delay(DRAIN_MS)),
    applied: () => run.call(() => faults.delay(APPLY_MS)),
  };
  const reconciler = createReconciler({
    store: createFaultyStore(environment, run, invariants),
    engine: createFaultyEngine(environment, run, invariants),
    routes: checkedRoutes,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    probe: async () => ({ kind: 'passed' }),
    lastLines: (appId) =>
      run.call(async () => {
        if (faults.occurs('log unreadable')) throw new Error('The log cannot be read');
        return logs.get(appId) ?? [];
      }),
    deleteStored: (appId) => run.call(async () => void logs.delete(appId)),
    baseDomain: BASE_DOMAIN,
    refusalOf: async () => undefined,
    maxBuilds: MAX_BUILDS,
    ownerLimits: NO_OWNER_LIMITS,
    tiers: TIERS,
    clock: {
      now: clock.now,
      setTimeout: (callback, ms) => clock.setTimeout(() => run.hasEnded() || callback(), ms),
      clearTimeout: clock.clearTimeout,
    },
    logError() {},
  });
  void reconciler.start();

  return {
    run,
    routes,
    setListening(next) {
      const isRestored = next && !isListening;
      isListening = next;
      if (isRestored && !run.hasEnded())
        for (const listener of listeners) listener({ kind: 'missed' });
    },
    async stop() {
      let isStopped = false;
      const stopping = reconciler.stop().then(() => {
        isStopped = true;
      });
      await settle();
      while (!isStopped && !run.hasEnded()) await clock.advance(100);
      run.kill();
      await Promise.race([stopping, settle()]);
    },
  };
}
