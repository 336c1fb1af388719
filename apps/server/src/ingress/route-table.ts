import type { Address } from '../engines/engine.ts';
import { hostName } from './host-name.ts';

/** What a host name leads to. */
export type Route =
  /** `sleepAfterMs`: hibernated after so long without a visitor. */
  | { kind: 'live'; targets: Address[]; sleepAfterMs?: number | undefined }
  | { kind: 'starting' }
  /** `wakes`: a visitor wakes it. */
  | { kind: 'hibernated'; wakes: boolean }
  | { kind: 'failed' };

/** An app as visitors find it. It stays the same object for as long as the app has hosts. */
export type RoutedApp = {
  readonly id: string;
  route: Route;
  /** Requests and websockets under way, held ones included. */
  openVisits: number;
  /** When the last visit ended, or the app became what visitors find. */
  lastVisitAt: number;
};

/**
 * Which host name belongs to which app. `set` replaces all hosts of one app at once; requests under way are
 * not touched. A host stays with the app that claimed it first, until that app gives it up.
 */
export type RouteTable = {
  /** Answers the app, or undefined when none of the hosts is its own. */
  set(appId: string, hosts: string[], route: Route): RoutedApp | undefined;
  remove(appId: string): void;
  /** Takes a host as it stands in a request: any case, with or without a port or a trailing dot. */
  lookup(host: string): RoutedApp | undefined;
  apps(): Iterable<RoutedApp>;
};

export function createRouteTable({ clock }: { clock: { now(): number } }): RouteTable {
  const appOfHost = new Map<string, RoutedApp>();
  const apps = new Map<string, { app: RoutedApp; hosts: string[] }>();

  function remove(appId: string): void {
    for (const host of apps.get(appId)?.hosts ?? []) appOfHost.delete(host);
    apps.delete(appId);
  }

  return {
    set(appId, hosts, route) {
      const known = apps.get(appId)?.app;
      remove(appId);
      const claimed = hosts.map(hostName).filter((host) => host !== '' && !appOfHost.has(host));
      if (claimed.length === 0) return undefined;
      const app = known ?? { id: appId, route, openVisits: 0, lastVisitAt: clock.now() };
      if (!leadsToTheSame(app.route, route)) app.lastVisitAt = clock.now();
      app.route = route;
      for (const host of claimed) appOfHost.set(host, app);
      apps.set(appId, { app, hosts: claimed });
      return app;
    },
    remove,
    lookup: (host) => appOfHost.get(hostName(host)),
    *apps() {
      for (const { app } of apps.values()) yield app;
    },
  };
}

function leadsToTheSame(one: Route, other: Route): boolean {
  const targetsOf = (route: Route) => (route.kind === 'live' ? route.targets : []);
  const [before, after] = [targetsOf(one), targetsOf(other)];
  return (
    one.kind === other.kind &&
    before.length === after.length &&
    before.every(({ host, port }, index) => {
      const target = after[index];
      return host === target?.host && port === target.port;
    })
  );
}
