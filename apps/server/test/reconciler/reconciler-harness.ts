import { createSimulatedClock, settle } from '@longshore/testkit';
import { createFakeEngine } from '@longshore/testkit/engine';
import { onTestFinished } from 'vitest';
import type { ReconcilerStore } from '../../src/apps/reconciler-store.ts';
import type { Engine, Instance } from '../../src/engines/engine.ts';
import type { Probe } from '../../src/reconciler/health/probe.ts';
import type { OwnerLimits } from '../../src/reconciler/pass-context.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { NO_OWNER_LIMITS } from '../no-limits.ts';
import { TIERS } from '../tiers.ts';
import { createMemoryRoutes } from './memory-routes.ts';
import { createMemoryStore } from './memory-store.ts';

type HarnessOptions = {
  maxBuilds?: number;
  ownerLimits?: OwnerLimits;
  probe?: Probe;
  /** Wraps the store or the engine that the reconciler uses. */
  wrapEngine?: (engine: Engine) => Engine;
  wrapStore?: (store: ReconcilerStore) => ReconcilerStore;
};

/** A complete reconciler on a memory store, a fake engine and a simulated clock. */
export async function startReconcilerHarness(options: HarnessOptions = {}) {
  const { maxBuilds = 2, ownerLimits = NO_OWNER_LIMITS } = options;
  const { probe = async () => ({ kind: 'passed' }) } = options;
  const { wrapEngine = (it) => it, wrapStore = (it) => it } = options;
  const clock = createSimulatedClock();
  const store = createMemoryStore({ clock });
  const engine = createFakeEngine({ clock });
  const errors: unknown[] = [];
  const logs = new Map<string, string[]>();
  const { signal } = new AbortController();
  const readLog = { fails: false };
  const permission: { refusal: string[] | undefined } = { refusal: undefined };
  let server = createServer();

  onTestFinished(() => server.reconciler.stop());
  await server.reconciler.start();
  await settle();

  return {
    clock,
    store,
    engine,
    logs,
    readLog,
    /** Why nobody may deploy. */
    permission,
    errors,
    routes: () => server.routes,
    routeOf: (appId: string) => server.routes.of(appId),
    reconciler: () => server.reconciler,
    nextServer,
    /** Stops the server and starts the next one on the same store and engine. */
    async restart() {
      await (await nextServer()).reconciler.start();
      await settle();
    },
    observe: (appId: string) => engine.observe(appId, signal),
    async runningOf(appId: string): Promise<Instance[]> {
      const { instances } = await engine.observe(appId, signal);
      return instances.filter(({ state }) => state.kind === 'running');
    },
    /** The engine calls for an app, except observations. */
    actionsOn: (appId: string) =>
      engine.calls
        .filter((call) => call.appId === appId && call.action !== 'observe')
        .map(({ action, release }) => (release === undefined ? action : `${action} ${release}`)),
    /** Runs everything that does not wait for a timer. */
    settle,
  };

  /** Stops the server. The next one is created but not started. */
  async function nextServer() {
    await server.reconciler.stop();
    server = createServer();
    return server;
  }

  function createServer() {
    const routes = createMemoryRoutes();
    const reconciler = createReconciler({
      store: wrapStore(store),
      engine: wrapEngine(engine),
      routes,
      listen: store.listen,
      probe,
      async lastLines(appId) {
        if (readLog.fails) throw new Error('The log cannot be read');
        return logs.get(appId) ?? [];
      },
      deleteStored: async (appId) => void logs.delete(appId),
      baseDomain: 'localhost',
      refusalOf: async () => permission.refusal,
      maxBuilds,
      ownerLimits,
      tiers: TIERS,
      clock,
      logError: (error) => void errors.push(error),
    });
    return { reconciler, routes };
  }
}
