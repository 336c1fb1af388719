import type { Address } from '../engines/engine.ts';
import { hostName } from './host-name.ts';

/** What a host name leads to. */
export type Route =
  | { kind: 'live'; targets: Address[] }
  | { kind: 'starting' }
  | { kind: 'hibernated' }
  | { kind: 'failed' };

/**
 * Which host name belongs to which app. `set` replaces all hosts of one app at once; requests under way are
 * not touched. A host stays with the app that claimed it first, until that app gives it up.
 */
export type RouteTable = {
  set(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
  /** Takes a host as it stands in a request: any case, with or without a port or a trailing dot. */
  lookup(host: string): Route | undefined;
};

export function createRouteTable(): RouteTable {
  const entries = new Map<string, { appId: string; route: Route }>();
  const hostsOf = new Map<string, string[]>();

  function remove(appId: string): void {
    for (const host of hostsOf.get(appId) ?? []) entries.delete(host);
    hostsOf.delete(appId);
  }

  return {
    set(appId, hosts, route) {
      remove(appId);
      const claimed = hosts.map(hostName).filter((host) => host !== '' && !entries.has(host));
      for (const host of claimed) entries.set(host, { appId, route });
      if (claimed.length > 0) hostsOf.set(appId, claimed);
    },
    remove,
    lookup: (host) => entries.get(hostName(host))?.route,
  };
}
