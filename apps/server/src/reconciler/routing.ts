import type { EdgePolicy } from '@longshore/edge-contract';
import type { Address, Instance } from '../engines/engine.ts';
import type { DesiredApp } from './desired.ts';
import { type PlanInput, runOf, servingInstances } from './plan-input.ts';
import type { Step } from './step.ts';

/** Where requests for an app go. The edge owns the route table; this is the part the reconciler uses. */
export type Route = RouteState & { policy?: EdgePolicy };

/** `instance`: its id, for sticky sessions. */
export type RouteTarget = Address & { instance?: string };

type RouteState =
  /** `sleepAfterMs`: the app is hibernated after this time without traffic. */
  | { kind: 'live'; targets: RouteTarget[]; sleepAfterMs?: number | undefined }
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
  /** Resolves when requests follow the routes as they are now, or after the timeout. */
  applied(timeoutMs: number): Promise<void>;
};

type RoutedInput = Pick<PlanInput, 'desired' | 'observed' | 'rotation' | 'checking'>;

/** Runs of instances, by `runOf`. */
type Rotation = Pick<PlanInput, 'rotation' | 'answered'>;

/** Keeps the routes of all apps in line with what runs. */
export type AppRouting = {
  rotationOf(appId: string): Rotation;
  /** Adds a route before the first pass of an app, so that its requests are held instead of refused. */
  addPending(desired: DesiredApp): void;
  /** Sends the traffic to these instances, and to no others. */
  switchTo(desired: DesiredApp, instances: Instance[]): void;
  /** Adds instances to those that receive the traffic, unless these are of another release. */
  join(desired: DesiredApp, instances: Instance[]): void;
  /** A run of another process than `web` works. It gets no traffic. */
  confirm(appId: string, run: string): void;
  /** Removes these runs. Without any left, the route is that of the step. */
  leave(desired: DesiredApp, runs: string[], step: Step): void;
  /**
   * Updates the route to what runs now and to the step that comes next. Returns whether it stays: what served before this server
   * started is still being checked.
   */
  update(input: RoutedInput, step: Step): boolean;
  drained(instance: Instance): Promise<void>;
  /** Resolves when requests follow the routes as they are now. An edge that does not answer is not waited for. */
  applied(): Promise<void>;
  remove(appId: string): void;
};

/** The instances that receive the traffic, by their run, and all runs that did or were confirmed. */
type RoutedRuns = { serving: Map<string, Instance>; answered: Set<string>; hasServed: boolean };

const DRAIN_MS = 10_000;
const APPLY_MS = 5_000;

export function createAppRouting(routes: RoutePort): AppRouting {
  const apps = new Map<string, RoutedRuns>();

  function runsOf(appId: string): RoutedRuns {
    const runs = apps.get(appId) ?? { serving: new Map(), answered: new Set(), hasServed: false };
    apps.set(appId, runs);
    return runs;
  }

  function setServing(desired: DesiredApp, instances: Instance[]): void {
    const runs = runsOf(desired.id);
    runs.serving = new Map(instances.map((instance) => [runOf(instance), instance]));
    for (const run of runs.serving.keys()) runs.answered.add(run);
    runs.hasServed = true;
    routes.set(desired.id, desired.hosts, liveRoute(desired, instances));
  }

  return {
    rotationOf(appId) {
      const runs = apps.get(appId);
      return { rotation: new Set(runs?.serving.keys()), answered: new Set(runs?.answered) };
    },
    addPending(desired) {
      routes.add(desired.id, desired.hosts, routeOf(desired, [], { kind: 'settled' }));
    },
    switchTo: setServing,
    join(desired, instances) {
      const serving = [...runsOf(desired.id).serving.values()];
      const joined = [...serving, ...instances];
      if (joined.every(({ release }) => release === joined[0]?.release))
        setServing(desired, joined);
    },
    confirm: (appId, run) => void runsOf(appId).answered.add(run),
    leave(desired, leaving, step) {
      const { serving } = runsOf(desired.id);
      const isLeaving = leaving.map((run) => serving.delete(run)).includes(true);
      if (!isLeaving) return;
      routes.set(desired.id, desired.hosts, routeOf(desired, [...serving.values()], step));
    },
    update(input, planned) {
      const { desired, observed, checking } = input;
      // An instance that is being checked may serve soon, whatever else is done.
      const mayServe = checking.size > 0 && desired.instances > 0;
      const step: Step = mayServe ? { kind: 'checking' } : planned;
      const instances = desired.instances === 0 ? [] : servingInstances(input);
      const runs = runsOf(desired.id);
      runs.serving = new Map(instances.map((instance) => [runOf(instance), instance]));
      const seen = observed.instances.map(runOf);
      runs.answered = new Set(seen.filter((run) => runs.answered.has(run)));
      const route = routeOf(desired, instances, step);
      const isAdopted = instances.length === 0 && !runs.hasServed && isAdoption(step);
      if (isAdopted) routes.add(desired.id, desired.hosts, route);
      else routes.set(desired.id, desired.hosts, route);
      return isAdopted;
    },
    drained: (instance) => routes.drained(instance.address, DRAIN_MS),
    applied: () => routes.applied(APPLY_MS),
    remove(appId) {
      apps.delete(appId);
      routes.remove(appId);
    },
  };
}

/** An instance that served before this server started keeps serving while it is checked again. */
function isAdoption(step: Step): boolean {
  return step.kind === 'checking' || (step.kind === 'check' && step.release.outcome === 'live');
}

/** Steps of an app that does not run and is not being started. Its other processes may be. */
const DOWN: Step['kind'][] = [
  'failed',
  'crashed',
  'cancelled',
  'wait',
  'process-start',
  'process-confirm',
  'process-crashed',
];

/** Live while any release serves, otherwise the reason why none does. */
export function routeOf(desired: DesiredApp, instances: Instance[], step: Step): Route {
  if (desired.instances > 0 && instances.length > 0) return liveRoute(desired, instances);
  const state: RouteState =
    desired.instances === 0
      ? hibernatedRoute(desired, step)
      : { kind: DOWN.includes(step.kind) ? 'failed' : 'starting' };
  return withPolicy(state, desired);
}

/** In the order of their ids, so that the route of the same instances is always the same. */
function liveRoute(desired: DesiredApp, instances: Instance[]): Route {
  const { sleepAfterMs } = desired;
  const inOrder = [...instances].sort((one, other) => Number(one.id) - Number(other.id));
  const isSticky = desired.policy?.stickySessions === true;
  const targets = inOrder.map(({ id, address }) =>
    isSticky ? { ...address, instance: id } : address,
  );
  return withPolicy({ kind: 'live', targets, sleepAfterMs }, desired);
}

function withPolicy(state: RouteState, { policy }: DesiredApp): Route {
  return policy === undefined ? state : { ...state, policy };
}

/** An instance has to stop before the next one starts: until then, requests that wake the app are held. */
function hibernatedRoute({ sleepAfterMs }: DesiredApp, step: Step): RouteState {
  if (sleepAfterMs === undefined) return { kind: 'hibernated', wakesOnRequest: false };
  return step.kind === 'stop' ? { kind: 'starting' } : { kind: 'hibernated', wakesOnRequest: true };
}
