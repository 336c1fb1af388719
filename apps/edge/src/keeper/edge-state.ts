import type { EdgeSettings, EdgeState, StateChange } from '@longshore/edge-contract';

/** The state as the server last described it. */
export type KeptState = {
  /** Merges a change, removals first, and returns what the workers have to apply. */
  apply(change: StateChange): StateChange;
  /** From now on, what a change names is remembered. */
  beginSync(): void;
  /** Removes what was not named since the begin, and returns these removals. Undefined: there was no begin. */
  endSync(): StateChange | undefined;
  /** The server went away before the end. */
  cancelSync(): void;
  all(): EdgeState;
};

type Named = Record<'routes' | 'tcpRoutes' | 'certificates' | 'challenges', Set<string>>;

const NO_SETTINGS: EdgeSettings = {
  trustedProxies: [],
  appNetworks: [],
  proxyProtocol: false,
};

export function createKeptState(initial?: EdgeState): KeptState {
  let settings = initial?.settings ?? NO_SETTINGS;
  const routes = new Map(initial?.routes.map((route) => [route.appId, route]));
  const tcpRoutes = new Map(initial?.tcpRoutes.map((route) => [route.id, route]));
  const certificates = new Map(initial?.certificates.map((it) => [it.id, it]));
  const challenges = new Map(Object.entries(initial?.challenges ?? {}));
  let named: Named | undefined;

  return {
    apply(change) {
      const { newRoutes = [], ...others } = change;
      for (const appId of change.removedApps ?? []) routes.delete(appId);
      for (const id of change.removedTcpRoutes ?? []) tcpRoutes.delete(id);
      for (const id of change.removedCertificates ?? []) certificates.delete(id);
      for (const token of change.removedChallenges ?? []) challenges.delete(token);
      if (change.settings !== undefined) settings = change.settings;
      for (const route of change.routes ?? []) routes.set(route.appId, route);
      const added = newRoutes.filter(({ appId }) => !routes.has(appId));
      for (const route of added) routes.set(route.appId, route);
      for (const route of change.tcpRoutes ?? []) tcpRoutes.set(route.id, route);
      for (const certificate of change.certificates ?? [])
        certificates.set(certificate.id, certificate);
      for (const [token, response] of Object.entries(change.challenges ?? {}))
        challenges.set(token, response);
      if (named !== undefined) nameAll(named, change);
      if (added.length === 0) return others;
      return { ...others, routes: [...(change.routes ?? []), ...added] };
    },
    beginSync() {
      named = {
        routes: new Set(),
        tcpRoutes: new Set(),
        certificates: new Set(),
        challenges: new Set(),
      };
    },
    endSync() {
      if (named === undefined) return undefined;
      const removals = {
        removedApps: without(routes, named.routes),
        removedTcpRoutes: without(tcpRoutes, named.tcpRoutes),
        removedCertificates: without(certificates, named.certificates),
        removedChallenges: without(challenges, named.challenges),
      };
      named = undefined;
      return this.apply(removals);
    },
    cancelSync() {
      named = undefined;
    },
    all: () => ({
      settings,
      routes: [...routes.values()],
      tcpRoutes: [...tcpRoutes.values()],
      certificates: [...certificates.values()],
      challenges: Object.fromEntries(challenges),
    }),
  };
}

function nameAll(named: Named, change: StateChange): void {
  for (const { appId } of change.routes ?? []) named.routes.add(appId);
  for (const { appId } of change.newRoutes ?? []) named.routes.add(appId);
  for (const { id } of change.tcpRoutes ?? []) named.tcpRoutes.add(id);
  for (const { id } of change.certificates ?? []) named.certificates.add(id);
  for (const token of Object.keys(change.challenges ?? {})) named.challenges.add(token);
}

function without(known: ReadonlyMap<string, unknown>, named: ReadonlySet<string>): string[] {
  return [...known.keys()].filter((id) => !named.has(id));
}
