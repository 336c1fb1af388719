import { isDeepStrictEqual } from 'node:util';
import type { AppRow, StatusReport } from '../../../src/apps/reconciler-store.ts';
import type { Instance, ObservedApp, ReleaseSpec } from '../../../src/engines/engine.ts';
import { desiredApp } from '../../../src/reconciler/desired.ts';
import type { Route } from '../../../src/reconciler/traffic.ts';
import type { MemoryRoutes } from '../memory-routes.ts';
import { settledProblems } from './settled-problems.ts';
import type { World } from './world.ts';

export const BASE_DOMAIN = 'localhost';
/** More looks at one app in one simulated second than any plan needs. */
const LOOKS_PER_SECOND = 60;

/** Watches everything one server does, and says what it must never do. */
export type Watchdog = ReturnType<typeof createWatchdog>;

export function createWatchdog(world: World, routes: MemoryRoutes, builds: number) {
  const { running, violate } = world;
  const answered = new Set<number>();
  const observations = new Map<string, ObservedApp>();
  const wishes = new Map<string, AppRow>();
  const busy = new Map<string, string>();
  const building = new Map<string, string>();
  const looks = { second: 0, of: new Map<string, number>() };

  return {
    read(app: AppRow | undefined) {
      if (app !== undefined) wishes.set(app.id, app);
    },
    observed(appId: string, observed: ObservedApp) {
      observations.set(appId, observed);
      countLook(appId);
    },
    answered: (instance: Instance) => void answered.add(instance.address.port),
    routed,
    reported,
    starting(spec: ReleaseSpec) {
      const { appId, number } = spec;
      const built = world.specOf(appId, number);
      const isBuilt = built !== undefined && isDeepStrictEqual(madeOf(spec), madeOf(built));
      if (!isBuilt) violate(`${appId} ${number}: starts what is not built`);
    },
    stopping,
    removing(appId: string) {
      if (routes.of(appId) !== undefined) violate(`${appId}: removed while it has a route`);
    },
    /** One change of an app at a time; only a build may go on beside it, of which there are no more than places. */
    async during<T>(appId: string, action: string, work: () => Promise<T>): Promise<T> {
      const ofKind = action === 'build' ? building : busy;
      const other = ofKind.get(appId);
      if (other !== undefined) violate(`${appId}: ${action} during ${other}`);
      ofKind.set(appId, action);
      if (building.size > builds) violate(`${building.size} builds at once`);
      try {
        return await work();
      } finally {
        ofKind.delete(appId);
      }
    },
  };

  /** Its name and its project may be others than when it was built. */
  function madeOf({ origin, env, ports }: ReleaseSpec) {
    return { origin, env, ports };
  }

  function routed(appId: string, before: Route | undefined, after: Route): void {
    if (after.kind === 'live') {
      const targets = after.targets.map(({ port }) => port);
      const releases = new Set(targets.map((port) => running.get(port)?.instance.release));
      if (releases.size > 1) violate(`${appId}: two releases serve`);
      if (targets.some((port) => (running.get(port)?.appId ?? appId) !== appId))
        violate(`${appId}: serves another app`);
      if (targets.some((port) => !answered.has(port))) violate(`${appId}: never answered`);
    }
    if (before?.kind !== 'live' || (after.kind !== 'live' && isWishedAsleep(appId))) return;
    const isServing = before.targets.some(({ port }) => running.has(port));
    if (isServing && after.kind !== 'live') violate(`${appId}: ${after.kind} though it serves`);
    if (isServing && newest(after) < newest(before)) violate(`${appId}: went back`);
  }

  function isWishedAsleep(appId: string): boolean {
    return wishes.get(appId)?.values.instances === 0;
  }

  function newest(route: Route): number {
    const targets = route.kind === 'live' ? route.targets : [];
    return Math.max(...targets.map(({ port }) => running.get(port)?.instance.release ?? Infinity));
  }

  function stopping(appId: string, { address, release }: Instance): void {
    const route = routes.of(appId)?.route;
    const targets = route?.kind === 'live' ? route.targets : [];
    if (targets.some(({ port }) => port === address.port))
      violate(`${appId}: stopped while it gets traffic`);
    const lastLive = world.store.releasesOf(appId).findLast(({ outcome }) => outcome === 'live');
    const isLastLive = lastLive?.number === release && running.has(address.port);
    // One that crashed since the server looked is one it could not know of.
    const hasOther = targets.some(({ port }) => running.has(port) || wasSeenUp(appId, port));
    if (isLastLive && !hasOther && !isWishedAsleep(appId))
      violate(`${appId}: stopped the only release that serves`);
  }

  function wasSeenUp(appId: string, port: number): boolean {
    const seen = observations.get(appId)?.instances ?? [];
    return seen.some(({ address, state }) => address.port === port && state.kind === 'running');
  }

  function reported({ appId, generation, status }: StatusReport): void {
    const row = world.store.row(appId);
    if (status !== 'synced' || row.generation !== generation || row.deleted) return;
    const problems = settledProblems({
      desired: desiredApp(row, BASE_DOMAIN),
      observed: observations.get(appId) ?? { built: [], instances: [] },
      route: routes.of(appId),
      last: world.store.releasesOf(appId).at(-1),
    });
    for (const problem of problems) violate(`${appId}: settled, but ${problem}`);
  }

  function countLook(appId: string): void {
    const second = Math.floor(world.clock.now() / 1_000);
    if (second !== looks.second) looks.of.clear();
    looks.second = second;
    const count = (looks.of.get(appId) ?? 0) + 1;
    looks.of.set(appId, count);
    if (count === LOOKS_PER_SECOND) violate(`${appId}: looks without end`);
  }
}
