import type { Address } from '../../src/engines/engine.ts';
import type { Route, RoutePort } from '../../src/reconciler/routing.ts';

export type MemoryRoutes = RoutePort & {
  /** Undefined when the app has no route. */
  of(appId: string): { hosts: string[]; route: Route } | undefined;
  appIds(): string[];
  /** Every target that was drained. */
  readonly drainedTargets: Address[];
};

export function createMemoryRoutes(): MemoryRoutes {
  const routes = new Map<string, { hosts: string[]; route: Route }>();
  const drainedTargets: Address[] = [];
  return {
    of: (appId) => routes.get(appId),
    appIds: () => [...routes.keys()],
    drainedTargets,
    set: (appId, hosts, route) => void routes.set(appId, { hosts, route }),
    add(appId, hosts, route) {
      if (!routes.has(appId)) routes.set(appId, { hosts, route });
    },
    remove: (appId) => void routes.delete(appId),
    async drained(target) {
      drainedTargets.push(target);
    },
    async applied() {},
  };
}
