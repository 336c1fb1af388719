import type { Address, Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import type { Step } from './step.ts';

/** Where requests for an app go. The ingress keeps the table; this is what the reconciler asks of it. */
export type Route =
  /** `sleepAfterMs`: hibernated after so long without a visitor. */
  | { kind: 'live'; targets: Address[]; sleepAfterMs?: number | undefined }
  | { kind: 'starting' }
  /** `wakesOnRequest`: the next request wakes the app. */
  | { kind: 'hibernated'; wakesOnRequest: boolean }
  | { kind: 'failed' };

export type RoutePort = {
  set(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
  /** Resolves when no request uses the target any more, or the time is up. */
  drained(target: Address, timeoutMs: number): Promise<void>;
};

export type Traffic = {
  /** Id of the instance that gets the traffic. */
  serving(appId: string): string | undefined;
  /** Whoever visits an app that was not looked at yet waits until it was, unless it sleeps. */
  expect(desired: DesiredApp): void;
  /** From now on this instance gets the traffic. */
  serve(desired: DesiredApp, instance: Instance): void;
  /** Makes the routes agree with what runs and what is about to be done. */
  show(desired: DesiredApp, instance: Instance | undefined, step: Step): void;
  drained(instance: Instance): Promise<void>;
  remove(appId: string): void;
};

const DRAIN_MS = 10_000;

export function createTraffic(routes: RoutePort): Traffic {
  const serving = new Map<string, string>();
  return {
    serving: (appId) => serving.get(appId),
    expect(desired) {
      if (serving.has(desired.id)) return;
      routes.set(desired.id, desired.hosts, routeOf(desired, undefined, { kind: 'settled' }));
    },
    serve(desired, instance) {
      serving.set(desired.id, instance.id);
      routes.set(desired.id, desired.hosts, liveRoute(desired, instance));
    },
    show(desired, instance, step) {
      if (instance === undefined || desired.instances === 0) serving.delete(desired.id);
      routes.set(desired.id, desired.hosts, routeOf(desired, instance, step));
    },
    drained: (instance) => routes.drained(instance.address, DRAIN_MS),
    remove(appId) {
      serving.delete(appId);
      routes.remove(appId);
    },
  };
}

/** A visitor sees the app while any release serves, and otherwise why not. */
export function routeOf(desired: DesiredApp, instance: Instance | undefined, step: Step): Route {
  if (desired.instances === 0) return asleepRoute(desired, step);
  if (instance !== undefined) return liveRoute(desired, instance);
  const isDown = step.kind === 'failed' || step.kind === 'crashed' || step.kind === 'wait';
  return { kind: isDown ? 'failed' : 'starting' };
}

function liveRoute({ sleepAfterMs }: DesiredApp, { address }: Instance): Route {
  return { kind: 'live', targets: [address], sleepAfterMs };
}

/** An instance that is being stopped must be gone before the next one: until then whoever wakes the app waits. */
function asleepRoute({ sleepAfterMs }: DesiredApp, step: Step): Route {
  if (sleepAfterMs === undefined) return { kind: 'hibernated', wakesOnRequest: false };
  return step.kind === 'stop' ? { kind: 'starting' } : { kind: 'hibernated', wakesOnRequest: true };
}
