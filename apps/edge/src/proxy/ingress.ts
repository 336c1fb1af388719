import type {
  Address,
  Clock,
  EdgePolicy,
  IsTrustedProxy,
  RouteState,
} from '@longshore/edge-contract';
import { createPolicies } from '../policy/create-policies.ts';
import { createVisitorServer, listen, stopServer } from './http-server.ts';
import { createIdleDetector } from './idle-detector.ts';
import { LIMITS, type ProxyLimits } from './limits.ts';
import { createProxy } from './proxy.ts';

const STOP_MS = 10_000;

export type IngressDeps = {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Undefined: no proxy is trusted. */
  isTrustedProxy: IsTrustedProxy | undefined;
  clock: Clock;
  /** Called when a request for a hibernated app arrives. The request is held, unless the app may not wake now. */
  wake(appId: string): Promise<'done' | 'refused'>;
  /** Called when an app had no traffic for its `sleepAfterMs`. */
  hibernate(appId: string): Promise<void>;
  logError(error: unknown, appId: string): void;
  limits?: Partial<ProxyLimits>;
};

/** How requests for the hosts of an app are handled. */
export type Route = LiveOrNot & { policy?: EdgePolicy | undefined };

type LiveOrNot =
  /** `sleepAfterMs`: the app is hibernated after this time without traffic. */
  | {
      kind: 'live';
      targets: (Address & { instance?: string })[];
      sleepAfterMs?: number | undefined;
    }
  | { kind: 'starting' }
  | { kind: 'hibernated'; wakesOnRequest: boolean }
  | { kind: 'failed' };

/** The proxy of a worker with a server of its own, in this process. */
export type Ingress = {
  routes: Routes;
  listen(): Promise<{ port: number }>;
  /** Resolves when no request or websocket uses the target any more, or after the timeout. */
  drained(target: Address, timeoutMs: number): Promise<void>;
  /** Accepts no more requests, lets those in flight finish within the timeout, then closes their connections. */
  stop(timeoutMs?: number): Promise<void>;
};

/** The routes of the apps. After each change, held requests are routed again. */
export type Routes = {
  set(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
};

export function createIngress(deps: IngressDeps): Ingress {
  const { clock, logError, limits, isTrustedProxy } = deps;
  const proxy = createProxy({
    clock,
    isTrustedProxy,
    decide: createPolicies({ clock }).decide,
    onWake: (appId) => void wake(appId),
    ...(limits && { limits }),
  });
  const idleDetector = createIdleDetector({
    clock,
    apps: proxy.activity,
    onIdle: (appId) => void deps.hibernate(appId).catch((error) => logError(error, appId)),
  });
  const server = createVisitorServer(proxy, { limits: { ...LIMITS, ...limits } });

  async function wake(appId: string): Promise<void> {
    try {
      if ((await deps.wake(appId)) === 'refused') proxy.wakeRefused(appId);
    } catch (error) {
      logError(error, appId);
    }
  }

  return {
    routes: {
      set(appId, hosts, { policy, ...route }) {
        const sleepAfterMs = route.kind === 'live' ? route.sleepAfterMs : undefined;
        proxy.apply({ routes: [{ appId, hosts, state: stateOf(route), sleepAfterMs, policy }] });
        if (sleepAfterMs === undefined) return;
        for (const app of proxy.activity()) if (app.id === appId) idleDetector.routeChanged(app);
      },
      remove: (appId) => proxy.apply({ removedApps: [appId] }),
    },
    listen: () => listen(server, deps.host, deps.port),
    drained: proxy.drained,
    async stop(timeoutMs = STOP_MS) {
      idleDetector.stop();
      proxy.beginStop();
      await stopServer(server, timeoutMs, proxy.stop);
      proxy.stop();
    },
  };
}

function stateOf(route: LiveOrNot): RouteState {
  if (route.kind !== 'live') return route;
  return {
    kind: 'live',
    targets: route.targets.map((target) => ({ ...target, state: 'ready' as const })),
  };
}
