import { isDeepStrictEqual } from 'node:util';
import type { AppRow, StatusReport } from '../../../src/apps/reconciler-store.ts';
import type { Instance, ObservedApp, ReleaseSpec } from '../../../src/engines/engine.ts';
import { desiredApp } from '../../../src/reconciler/desired.ts';
import type { Route } from '../../../src/reconciler/routing.ts';
import type { MemoryRoutes } from '../memory-routes.ts';
import type { Environment } from './environment.ts';
import { settledProblems } from './settled-problems.ts';

export const BASE_DOMAIN = 'localhost';
/** More observations of one app in one simulated second than any plan needs. */
const OBSERVATIONS_PER_SECOND = 60;

/** Checks every action of one server, and records what it must never do. */
export type Invariants = ReturnType<typeof createInvariants>;

export function createInvariants(
  environment: Environment,
  routes: MemoryRoutes,
  maxBuilds: number,
) {
  const { running, addViolation } = environment;
  const answered = new Set<number>();
  const observations = new Map<string, ObservedApp>();
  /** What the last step of each app was planned with. */
  const planned = new Map<string, ObservedApp>();
  const apps = new Map<string, AppRow>();
  const busy = new Map<string, string>();
  const building = new Map<string, string>();
  const commanding = new Map<string, string>();
  const observationCounts = { second: 0, byApp: new Map<string, number>() };

  return {
    read(app: AppRow | undefined) {
      if (app !== undefined) apps.set(app.id, app);
    },
    observed(appId: string, observed: ObservedApp) {
      observations.set(appId, observed);
      countObservation(appId);
    },
    /** A plan reads the releases after the observation. */
    planning(appId: string) {
      const observed = observations.get(appId);
      if (observed !== undefined) planned.set(appId, observed);
    },
    answered: (instance: Instance) => void answered.add(instance.address.port),
    routed,
    reported,
    starting(spec: ReleaseSpec) {
      const { appId, number } = spec;
      const built = environment.specOf(appId, number);
      const isBuilt = built !== undefined && isDeepStrictEqual(buildInput(spec), buildInput(built));
      if (!isBuilt) addViolation(`${appId} ${number}: starts a release that is not built`);
    },
    stopping,
    removing(appId: string) {
      if (routes.of(appId) !== undefined) addViolation(`${appId}: removed while it has a route`);
    },
    /** One change of an app at a time, except that instances stop together, plus one build or command. Limited builds. */
    async during<T>(appId: string, action: string, work: () => Promise<T>): Promise<T> {
      const inProgress = action === 'build' ? building : action === 'command' ? commanding : busy;
      const other = inProgress.get(appId);
      const isTogether = action === 'stop' && other === 'stop';
      if (other !== undefined && !isTogether) addViolation(`${appId}: ${action} during ${other}`);
      inProgress.set(appId, action);
      if (building.size > maxBuilds) addViolation(`${building.size} builds at once`);
      try {
        return await work();
      } finally {
        inProgress.delete(appId);
      }
    },
  };

  /** Name and project may have changed since the build. */
  function buildInput({ origin, env, ports }: ReleaseSpec) {
    return { origin, env, ports };
  }

  function routed(appId: string, before: Route | undefined, after: Route): void {
    if (after.kind === 'live') {
      const targets = after.targets.map(({ port }) => port);
      const releases = new Set(
        targets.flatMap((port) => running.get(port)?.instance.release ?? []),
      );
      if (releases.size > 1) addViolation(`${appId}: two releases serve`);
      if (targets.some((port) => (running.get(port)?.appId ?? appId) !== appId))
        addViolation(`${appId}: routed to an instance of another app`);
      if (targets.some((port) => !answered.has(port)))
        addViolation(`${appId}: routed to an instance that never answered`);
    }
    if (before?.kind !== 'live' || (after.kind !== 'live' && isHibernated(appId))) return;
    const isServing = before.targets.some(({ port }) => running.has(port));
    if (isServing && after.kind !== 'live')
      addViolation(`${appId}: ${after.kind} although it serves`);
    if (isServing && newest(after) < newest(before) && newest(after) > 0)
      addViolation(`${appId}: switched to an older release`);
  }

  function isHibernated(appId: string): boolean {
    return apps.get(appId)?.values.instances === 0;
  }

  function newest(route: Route): number {
    const targets = route.kind === 'live' ? route.targets : [];
    return Math.max(...targets.map(({ port }) => running.get(port)?.instance.release ?? 0));
  }

  function stopping(appId: string, { address, release }: Instance): void {
    const route = routes.of(appId)?.route;
    const targets = route?.kind === 'live' ? route.targets : [];
    if (targets.some(({ port }) => port === address.port))
      addViolation(`${appId}: stopped while it gets traffic`);
    const lastLive = environment.store
      .releasesOf(appId)
      .findLast(({ outcome }) => outcome === 'live');
    const isLastLive = lastLive?.number === release && running.has(address.port);
    // An instance may crash after the stop of another one was planned.
    const hasOther = targets.some(({ port }) => running.has(port)) || hadOther(appId, address.port);
    if (isLastLive && !hasOther && !isHibernated(appId))
      addViolation(`${appId}: stopped the only release that serves`);
  }

  /** Whether another instance ran and had answered when the step was planned. */
  function hadOther(appId: string, port: number): boolean {
    const seen = planned.get(appId)?.instances ?? [];
    return seen.some(
      ({ address, state }) =>
        address.port !== port && state.kind === 'running' && answered.has(address.port),
    );
  }

  function reported({ appId, generation, status }: StatusReport): void {
    const row = environment.store.row(appId);
    if (status !== 'synced' || row.generation !== generation || row.deleted) return;
    const problems = settledProblems({
      desired: desiredApp(row, BASE_DOMAIN),
      observed: observations.get(appId) ?? { built: [], instances: [] },
      route: routes.of(appId),
      releases: environment.store.releasesOf(appId),
    });
    for (const problem of problems) addViolation(`${appId}: settled, but ${problem}`);
  }

  function countObservation(appId: string): void {
    const second = Math.floor(environment.clock.now() / 1_000);
    if (second !== observationCounts.second) observationCounts.byApp.clear();
    observationCounts.second = second;
    const count = (observationCounts.byApp.get(appId) ?? 0) + 1;
    observationCounts.byApp.set(appId, count);
    if (count === OBSERVATIONS_PER_SECOND) addViolation(`${appId}: observes in an endless loop`);
  }
}
