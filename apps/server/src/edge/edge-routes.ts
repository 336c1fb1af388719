import type { AppRoute, Clock } from '@longshore/edge-contract';
import type { Route, RoutePort } from '../reconciler/routing.ts';
import type { Edge } from './edge.ts';

/** The routes of the reconciler, kept by the edge. */
export type EdgeRoutes = RoutePort & {
  /** Resolves when the reconciler has set a route for each app that was added, or after the timeout. */
  allSet(timeoutMs: number): Promise<void>;
};

export function createEdgeRoutes(
  edge: Pick<Edge, 'change' | 'drained' | 'applied'>,
  clock: Clock,
): EdgeRoutes {
  const added = new Set<string>();
  let onAllSet = () => {};

  function isSet(appId: string): void {
    added.delete(appId);
    if (added.size === 0) onAllSet();
  }

  return {
    set(appId, hosts, route) {
      edge.change({ routes: [appRoute(appId, hosts, route)] });
      isSet(appId);
    },
    add(appId, hosts, route) {
      added.add(appId);
      edge.change({ newRoutes: [appRoute(appId, hosts, route)] });
    },
    remove(appId) {
      edge.change({ removedApps: [appId] });
      isSet(appId);
    },
    drained: edge.drained,
    applied: edge.applied,
    async allSet(timeoutMs) {
      if (added.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = clock.setTimeout(resolve, timeoutMs);
        onAllSet = () => {
          clock.clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

function appRoute(appId: string, hosts: string[], { policy, ...route }: Route): AppRoute {
  const common = { appId, hosts, ...(policy && { policy }) };
  if (route.kind !== 'live') return { ...common, state: route };
  const { targets, sleepAfterMs } = route;
  const ready = targets.map((target) => ({ ...target, state: 'ready' as const }));
  return { ...common, state: { kind: 'live', targets: ready }, sleepAfterMs };
}
