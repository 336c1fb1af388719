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

/** An app as visitors find it. It stays the same object until the app is removed. */
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
 * not touched. A host leads to the app that wished for it first; when that one gives it up, to the next.
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
  /** Who wishes for a host, in the order they came; it leads to the first. */
  const wishes = new Map<string, RoutedApp[]>();
  const apps = new Map<string, { app: RoutedApp; hosts: string[] }>();

  function giveUp(app: RoutedApp, host: string): void {
    const others = (wishes.get(host) ?? []).filter((other) => other !== app);
    if (others.length > 0) wishes.set(host, others);
    else wishes.delete(host);
  }

  function hasOwnHost({ app, hosts }: { app: RoutedApp; hosts: string[] }): boolean {
    return hosts.some((host) => wishes.get(host)?.[0] === app);
  }

  return {
    set(appId, names, route) {
      const hosts = names.map(hostName).filter((host) => host !== '');
      const known = apps.get(appId);
      const app = known?.app ?? { id: appId, route, openVisits: 0, lastVisitAt: clock.now() };
      for (const host of known?.hosts ?? []) if (!hosts.includes(host)) giveUp(app, host);
      for (const host of hosts) {
        const wishing = wishes.get(host) ?? [];
        if (!wishing.includes(app)) wishes.set(host, [...wishing, app]);
      }
      if (!leadsToTheSame(app.route, route)) app.lastVisitAt = clock.now();
      app.route = route;
      apps.set(appId, { app, hosts });
      return hasOwnHost({ app, hosts }) ? app : undefined;
    },
    remove(appId) {
      const known = apps.get(appId);
      for (const host of known?.hosts ?? []) if (known) giveUp(known.app, host);
      apps.delete(appId);
    },
    lookup: (host) => wishes.get(hostName(host))?.[0],
    *apps() {
      for (const each of apps.values()) if (hasOwnHost(each)) yield each.app;
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
