import { isDeepStrictEqual } from 'node:util';
import type { ObservedApp } from '../../../src/engines/engine.ts';
import { desiredApp } from '../../../src/reconciler/desired.ts';
import { failureMessage } from '../../../src/reconciler/messages.ts';
import type { Route } from '../../../src/reconciler/traffic.ts';
import { STANDING_REASONS } from './refs.ts';
import { settledProblems } from './settled-problems.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { BASE_DOMAIN } from './watchdog.ts';
import type { World } from './world.ts';

const { signal } = new AbortController();

/** What is not as it should be once faults have stopped and time has passed. */
export async function endingProblems(world: World, server: SimulatedServer): Promise<string[]> {
  const problems = await Promise.all(
    world.store.rows().map(async ({ id, deleted }) => {
      const found = await (deleted ? remainsOf(id) : unsettledOf(id));
      return found.map((problem) => `${id}: ${problem}`);
    }),
  );
  return problems.flat();

  async function remainsOf(appId: string): Promise<string[]> {
    const { built, instances } = await world.engine.observe(appId, signal);
    const isHeld = (await world.engine.listApps(signal)).includes(appId);
    return [
      ...(isHeld || built.length > 0 ? ['the engine still holds it'] : []),
      ...(instances.length > 0 ? ['it still has an instance'] : []),
      ...(server.routes.of(appId) === undefined ? [] : ['it still has a route']),
      ...(world.logs.has(appId) ? ['its log is still there'] : []),
    ];
  }

  async function unsettledOf(appId: string): Promise<string[]> {
    const desired = desiredApp(world.store.row(appId), BASE_DOMAIN);
    const observed = await world.engine.observe(appId, signal);
    const route = server.routes.of(appId);
    const { status, message, observedGeneration } = world.store.statusOf(appId);
    const ref = desired.instances === 0 ? 'main' : world.refOf(desired.spec);
    const reasons = STANDING_REASONS[ref];
    const stale = observedGeneration === desired.generation ? [] : ['its status is of an old wish'];
    if (status === 'synced' && (reasons.length === 0 || ref === 'crashing')) {
      const last = world.store.releasesOf(appId).at(-1);
      return [...stale, ...settledProblems({ desired, observed, route, last })];
    }
    const isStanding = reasons.some((reason) => message?.startsWith(failureMessage(reason, [])));
    if (status !== 'backoff' || !isStanding) return [...stale, `it says ${status}: ${message}`];
    // It is started again and again, so it may be anywhere on that way.
    if (ref === 'crashing') return stale;
    return [...stale, ...fallbackProblems(appId, observed, route?.route.kind)];
  }

  /** The newest release failed, so the one that served before it does, if there is one. */
  function fallbackProblems(
    appId: string,
    { instances }: ObservedApp,
    route: Route['kind'] | undefined,
  ): string[] {
    const lastLive = world.store.releasesOf(appId).findLast(({ outcome }) => outcome === 'live');
    if (lastLive !== undefined && world.refOfRelease(appId, lastLive.number) === 'crashing')
      return [];
    const running = instances.filter(({ state }) => state.kind === 'running');
    const wished = lastLive === undefined ? [] : [lastLive.number];
    const isRight = isDeepStrictEqual(
      running.map(({ release }) => release),
      wished,
    );
    return [
      ...(isRight ? [] : ['the release that served before does not run alone']),
      ...(route === (lastLive === undefined ? 'failed' : 'live') ? [] : [`its route is ${route}`]),
    ];
  }
}
