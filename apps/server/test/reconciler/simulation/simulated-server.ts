import { settle } from '@longshore/testkit';
import type { Change } from '../../../src/db/change.ts';
import { createReconciler } from '../../../src/reconciler/reconciler.ts';
import type { RoutePort } from '../../../src/reconciler/traffic.ts';
import { createMemoryRoutes, type MemoryRoutes } from '../memory-routes.ts';
import { createFaultyEngine } from './faulty-engine.ts';
import { createFaultyStore } from './faulty-store.ts';
import { createLife, type Life } from './life.ts';
import { BASE_DOMAIN, createWatchdog } from './watchdog.ts';
import type { World } from './world.ts';

const BUILDS = 2;
const DRAIN_MS = 10_000;

export type SimulatedServer = {
  life: Life;
  routes: MemoryRoutes;
  /** Loses the connection that listens to the database, or gets it back. */
  setListening(isListening: boolean): void;
  /** Stops as an operator would. */
  stop(): Promise<void>;
};

/** One server on the world as it is. Routes and retries die with it; store and engine stay. */
export function startSimulatedServer(world: World): SimulatedServer {
  const { clock, faults, store, logs } = world;
  const life = createLife(() => stopListening());
  const routes = createMemoryRoutes();
  const watchdog = createWatchdog(world, routes, BUILDS);
  const listeners = new Set<(change: Change) => void>();
  let isListening = true;
  const stopListening = store.listen((change) => {
    if (isListening) for (const listener of listeners) listener(change);
  });

  const watchedRoutes: RoutePort = {
    set(appId, hosts, route) {
      watchdog.routed(appId, routes.of(appId)?.route, route);
      routes.set(appId, hosts, route);
    },
    remove: routes.remove,
    drained: () => life.call(() => faults.takeTime(DRAIN_MS)),
  };
  const reconciler = createReconciler({
    store: createFaultyStore(world, life, watchdog),
    engine: createFaultyEngine(world, life, watchdog),
    routes: watchedRoutes,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastLines: (appId) =>
      life.call(async () => {
        if (faults.strikes('log unreadable')) throw new Error('The log cannot be read');
        return logs.get(appId) ?? [];
      }),
    forgetLogs: (appId) => life.call(async () => void logs.delete(appId)),
    baseDomain: BASE_DOMAIN,
    builds: BUILDS,
    clock: {
      now: clock.now,
      setTimeout: (run, ms) => clock.setTimeout(() => life.isOver() || run(), ms),
      clearTimeout: clock.clearTimeout,
    },
    logError() {},
  });
  void reconciler.start();

  return {
    life,
    routes,
    setListening(next) {
      const isBack = next && !isListening;
      isListening = next;
      if (isBack && !life.isOver()) for (const listener of listeners) listener({ kind: 'missed' });
    },
    async stop() {
      let isStopped = false;
      const stopping = reconciler.stop().then(() => {
        isStopped = true;
      });
      await settle();
      while (!isStopped && !life.isOver()) await clock.advance(100);
      life.end();
      await Promise.race([stopping, settle()]);
    },
  };
}
