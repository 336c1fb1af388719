import { AUTO_DOMAIN } from '@longshore/contract';
import { systemClock } from '@longshore/edge-contract';
import { createFakeEngine } from '@longshore/testkit/engine';
import { createReconcilerStore } from '../src/apps/reconciler-store.ts';
import { createEdgeRoutes } from '../src/edge/edge-routes.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import type { RoutePort } from '../src/reconciler/routing.ts';
import { insertApps, openBenchDatabase } from './bench-database.ts';
import { createInProcessEdge } from './edge/in-process-edge.ts';
import { NO_OWNER_LIMITS } from './no-limits.ts';
import { TIERS } from './tiers.ts';
import { appValues, storedValues, VARIABLES } from './values.ts';

/** Many apps of one user on a fake engine, to measure the cost of reconciling and routing alone. */
export type ManyApps = {
  /** Starts reconciler and ingress. Resolves when every app serves. */
  start(): Promise<{ stop(): Promise<void> }>;
  /** Edits an app, and resolves when its new release serves. */
  edit(): Promise<void>;
  stop(): Promise<void>;
};

const MAX_BUILDS = 2;

const VALUES = {
  ...appValues('harbour'),
  publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: 'localhost' },
};

export async function openManyApps(dataDir: string, count: number): Promise<ManyApps> {
  const clock = systemClock;
  const rethrow = (error: unknown) => {
    throw error;
  };
  const { db, changes, stop } = await openBenchDatabase(dataDir);
  const engine = createFakeEngine({ clock });
  const appIds = await insertApps(db, count, VALUES);
  const ports = createPortTable();

  return {
    async start() {
      ports.clear();
      const edge = createInProcessEdge({
        host: '127.0.0.1',
        port: 0,
        isTrustedProxy: undefined,
        clock,
        logError: rethrow,
      });
      const routes = ports.record(createEdgeRoutes(edge, clock));
      const reconciler = createReconciler({
        store: createReconcilerStore({ db, variables: VARIABLES }),
        engine,
        routes,
        listen: changes.listen,
        probe: async () => ({ kind: 'passed' }),
        lastLines: async () => [],
        deleteStored: async () => {},
        baseDomain: 'localhost',
        refusalOf: async () => undefined,
        maxBuilds: MAX_BUILDS,
        ownerLimits: NO_OWNER_LIMITS,
        tiers: TIERS,
        clock,
        logError: rethrow,
      });
      await reconciler.addPendingRoutes();
      await edge.listen();
      await reconciler.start();
      await ports.allOf(appIds);
      return {
        async stop() {
          await reconciler.stop();
          await edge.stop();
        },
      };
    },
    async edit() {
      const [appId = ''] = appIds;
      const before = ports.portOf(appId);
      const env = { EDITED_AT: String(clock.now()) };
      const values = await storedValues(db, appId, { ...VALUES, env });
      await db.updateTable('public.resources').set({ values }).where('id', '=', appId).execute();
      await ports.until(() => ports.portOf(appId) !== before);
    },
    stop,
  };
}

/** Records the port that each app is routed to. */
function createPortTable() {
  const portByApp = new Map<string, number>();
  const waiting = new Set<() => void>();

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
      });
    }
  }

  return {
    clear: () => portByApp.clear(),
    portOf: (appId: string) => portByApp.get(appId),
    allOf: (appIds: string[]) => until(() => appIds.every((appId) => portByApp.has(appId))),
    until,
    record(routes: RoutePort): RoutePort {
      return {
        ...routes,
        set(appId, hosts, route) {
          routes.set(appId, hosts, route);
          const port = route.kind === 'live' ? route.targets[0]?.port : undefined;
          if (port === undefined) return;
          portByApp.set(appId, port);
          for (const wake of waiting) wake();
          waiting.clear();
        },
      };
    },
  };
}
