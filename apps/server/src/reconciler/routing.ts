import type { EdgePolicy } from '@longshore/edge-contract';
import type { Address, Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { Step } from './step.ts';

/** Where requests for an app go. The edge owns the route table; this is the part the reconciler uses. */
export type Route = RouteState & { policy?: EdgePolicy };

type RouteState =
  /** `sleepAfterMs`: the app is hibernated after this time without traffic. */
  | { kind: 'live'; targets: Address[]; sleepAfterMs?: number | undefined }
  | { kind: 'starting' }
  /** `wakesOnRequest`: the next request wakes the app. */
  | { kind: 'hibernated'; wakesOnRequest: boolean }
  | { kind: 'failed' };

export type RoutePort = {
  set(appId: string, hosts: string[], route: Route): void;
  /** For an app without a route. One that has a route keeps it: it may serve since before this server started. */
  add(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
  /** Resolves when no request uses the target any more, or after the timeout. */
  drained(target: Address, timeoutMs: number): Promise<void>;
};

/** Keeps the routes of all apps in line with what runs. */
export type AppRouting = {
  /** Id of the instance that receives the traffic. */
  servingId(appId: string): string | undefined;
  /** Adds a route before the first pass of an app, so that its requests are held instead of refused. */
  addPending(desired: DesiredApp): void;
  /** Sends the traffic to this instance. */
  switchTo(desired: DesiredApp, instance: Instance): void;
  /** Updates the route to what runs now and to the step that comes next. */
  update(desired: DesiredApp, instance: Instance | undefined, step: Step): void;
  drained(instance: Instance): Promise<void>;
  remove(appId: string): void;
};

const DRAIN_MS = 10_000;

export function createAppRouting(routes: RoutePort): AppRouting {
  const serving = new Map<string, string>();
  return {
    servingId: (appId) => serving.get(appId),
    addPending(desired) {
      routes.add(desired.id, desired.hosts, routeOf(desired, undefined, { kind: 'settled' }));
    },
    switchTo(desired, instance) {
      serving.set(desired.id, instance.id);
      routes.set(desired.id, desired.hosts, liveRoute(desired, instance));
    },
    update(desired, instance, step) {
      if (instance === undefined || desired.instances === 0) serving.delete(desired.id);
      const route = routeOf(desired, instance, step);
      if (instance === undefined && isAdoption(step)) routes.add(desired.id, desired.hosts, route);
      else routes.set(desired.id, desired.hosts, route);
    },
    drained: (instance) => routes.drained(instance.address, DRAIN_MS),
    remove(appId) {
      serving.delete(appId);
      routes.remove(appId);
    },
  };
}

/** An instance that served before this server started keeps serving while it is checked again. */
function isAdoption(step: Step): boolean {
  return step.kind === 'check' && step.release.outcome === 'live';
}

/** Steps of an app that does not run and is not being started. */
const DOWN: Step['kind'][] = ['failed', 'crashed', 'cancelled', 'wait'];

/** Live while any release serves, otherwise the reason why none does. */
export function routeOf(desired: DesiredApp, instance: Instance | undefined, step: Step): Route {
  if (desired.instances > 0 && instance !== undefined) return liveRoute(desired, instance);
  const state: RouteState =
    desired.instances === 0
      ? hibernatedRoute(desired, step)
      : { kind: DOWN.includes(step.kind) ? 'failed' : 'starting' };
  return withPolicy(state, desired);
}

function liveRoute(desired: DesiredApp, { address }: Instance): Route {
  const { sleepAfterMs } = desired;
  return withPolicy({ kind: 'live', targets: [address], sleepAfterMs }, desired);
}

function withPolicy(state: RouteState, { policy }: DesiredApp): Route {
  return policy === undefined ? state : { ...state, policy };
}

/** An instance has to stop before the next one starts: until then, requests that wake the app are held. */
function hibernatedRoute({ sleepAfterMs }: DesiredApp, step: Step): RouteState {
  if (sleepAfterMs === undefined) return { kind: 'hibernated', wakesOnRequest: false };
  return step.kind === 'stop' ? { kind: 'starting' } : { kind: 'hibernated', wakesOnRequest: true };
}
