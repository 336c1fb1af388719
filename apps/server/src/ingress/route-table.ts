import type { Address } from '../engines/engine.ts';
import { hostName } from './request-target.ts';

/** How requests for the hosts of an app are handled. */
export type Route =
  /** `sleepAfterMs`: the app is hibernated after this time without traffic. */
  | { kind: 'live'; targets: Address[]; sleepAfterMs?: number | undefined }
  | { kind: 'starting' }
  /** `wakesOnRequest`: the next request wakes the app. */
  | { kind: 'hibernated'; wakesOnRequest: boolean }
  | { kind: 'failed' };

/** An app with its route. It stays the same object until the app is removed. */
export type RoutedApp = {
  readonly id: string;
  route: Route;
  /** Requests and websockets in flight, held ones included. */
  openRequests: number;
  /** When the last request ended, or the route last changed. */
  lastActiveAt: number;
};

/**
 * Which host name belongs to which app. `set` replaces all hosts of one app at once; requests in flight are
 * not affected. A host belongs to the app that claimed it first; when that app releases it, to the next claimant.
 */
export type RouteTable = {
  /** Returns the app, or undefined when all of its hosts belong to other apps. */
  set(appId: string, hosts: string[], route: Route): RoutedApp | undefined;
  remove(appId: string): void;
  /** Accepts a host as sent in a request: any case, with or without a port or a trailing dot. */
  lookup(host: string): RoutedApp | undefined;
  /** The apps that own at least one host. */
  apps(): Iterable<RoutedApp>;
};

export function createRouteTable({ clock }: { clock: { now(): number } }): RouteTable {
  /** The apps that claim a host, in the order of their claims. The first one owns it. */
  const claimants = new Map<string, RoutedApp[]>();
  const apps = new Map<string, { app: RoutedApp; hosts: string[] }>();

  function release(app: RoutedApp, host: string): void {
    const others = (claimants.get(host) ?? []).filter((other) => other !== app);
    if (others.length > 0) claimants.set(host, others);
    else claimants.delete(host);
  }

  function ownsHost({ app, hosts }: { app: RoutedApp; hosts: string[] }): boolean {
    return hosts.some((host) => claimants.get(host)?.[0] === app);
  }

  return {
    set(appId, names, route) {
      const hosts = names.map(hostName).filter((host) => host !== '');
      const existing = apps.get(appId);
      const app = existing?.app ?? { id: appId, route, openRequests: 0, lastActiveAt: clock.now() };
      for (const host of existing?.hosts ?? []) if (!hosts.includes(host)) release(app, host);
      for (const host of hosts) {
        const claiming = claimants.get(host) ?? [];
        if (!claiming.includes(app)) claimants.set(host, [...claiming, app]);
      }
      if (!isSameRoute(app.route, route)) app.lastActiveAt = clock.now();
      app.route = route;
      apps.set(appId, { app, hosts });
      return ownsHost({ app, hosts }) ? app : undefined;
    },
    remove(appId) {
      const existing = apps.get(appId);
      for (const host of existing?.hosts ?? []) if (existing) release(existing.app, host);
      apps.delete(appId);
    },
    lookup: (host) => claimants.get(hostName(host))?.[0],
    *apps() {
      for (const each of apps.values()) if (ownsHost(each)) yield each.app;
    },
  };
}

function isSameRoute(one: Route, other: Route): boolean {
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
