import type { AppRoute, EdgePolicy, RouteState, Target } from '@longshore/edge-contract';
import { hostName } from './request-target.ts';
import { type Upstream, type Upstreams, upstreamKey } from './upstream.ts';

/** An app with its route. It stays the same object until the app is removed. */
export type RoutedApp = {
  readonly id: string;
  state: RouteState;
  sleepAfterMs: number | undefined;
  policy: EdgePolicy | undefined;
  /** The targets that get requests, and the ids of their instances, if they are known. */
  upstreams: Upstream[];
  instances: (string | undefined)[];
  /** The index of the target that got the last request. */
  turn: number;
  /** Requests and websockets in flight, held ones included. */
  openRequests: number;
  /** When the last request ended, the kind of the route last changed, or a release last took over. */
  lastActiveAt: number;
};

/**
 * Which host name belongs to which app. `set` replaces all hosts of one app at once; requests in flight are
 * not affected. A host belongs to the app that claimed it first; when that app releases it, to the next claimant.
 */
export type RouteTable = {
  /** Returns the app, or undefined when all of its hosts belong to other apps. */
  set(route: AppRoute): RoutedApp | undefined;
  remove(appId: string): void;
  /** Accepts a host as sent in a request: any case, with or without a port or a trailing dot. */
  lookup(host: string): RoutedApp | undefined;
  /** The apps that own at least one host. */
  apps(): Iterable<RoutedApp>;
};

type RouteTableDeps = {
  clock: { now(): number };
  upstreams: Pick<Upstreams, 'addRoute' | 'removeRoute'>;
};

export function createRouteTable({ clock, upstreams }: RouteTableDeps): RouteTable {
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

  /** New ones are added first, so that a target that stays keeps its connections. */
  function replaceUpstreams(app: RoutedApp, state: RouteState | undefined): void {
    const previous = app.upstreams;
    const ready = state?.kind === 'live' ? state.targets.filter(isReady) : [];
    app.upstreams = ready.map(upstreams.addRoute);
    app.instances = ready.map(({ instance }) => instance);
    previous.forEach(upstreams.removeRoute);
  }

  return {
    set({ appId, hosts: names, state, sleepAfterMs, policy }) {
      const hosts = names.map(hostName).filter((host) => host !== '');
      const existing = apps.get(appId);
      const app: RoutedApp = existing?.app ?? {
        id: appId,
        state,
        sleepAfterMs,
        policy,
        upstreams: [],
        instances: [],
        turn: -1,
        openRequests: 0,
        lastActiveAt: clock.now(),
      };
      for (const host of existing?.hosts ?? []) if (!hosts.includes(host)) release(app, host);
      for (const host of hosts) {
        const claiming = claimants.get(host) ?? [];
        if (!claiming.includes(app)) claimants.set(host, [...claiming, app]);
      }
      if (!isContinued(app.state, state)) app.lastActiveAt = clock.now();
      app.state = state;
      app.sleepAfterMs = sleepAfterMs;
      app.policy = policy;
      replaceUpstreams(app, state);
      apps.set(appId, { app, hosts });
      return ownsHost({ app, hosts }) ? app : undefined;
    },
    remove(appId) {
      const existing = apps.get(appId);
      for (const host of existing?.hosts ?? []) if (existing) release(existing.app, host);
      if (existing) replaceUpstreams(existing.app, undefined);
      apps.delete(appId);
    },
    lookup: (host) => claimants.get(hostName(host))?.[0],
    *apps() {
      for (const each of apps.values()) if (ownsHost(each)) yield each.app;
    },
  };
}

function isReady(target: Target): boolean {
  return target.state === 'ready';
}

/** A new release replaces all targets at once. Of several instances that are replaced one by one, others stay. */
function isContinued(one: RouteState, other: RouteState): boolean {
  const [before, after] = [readyKeys(one), readyKeys(other)];
  return (
    one.kind === other.kind &&
    (before.length === 0 || before.some((target) => after.includes(target)))
  );
}

function readyKeys(state: RouteState): string[] {
  return state.kind === 'live' ? state.targets.filter(isReady).map(upstreamKey) : [];
}
