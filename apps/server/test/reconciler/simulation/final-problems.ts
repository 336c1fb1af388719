import { isDeepStrictEqual } from 'node:util';
import { servingNames } from '@longshore/contract';
import type { Instance, ObservedApp } from '../../../src/engines/engine.ts';
import { type DesiredApp, desiredApp } from '../../../src/reconciler/desired.ts';
import { CANCELLED_MESSAGE, failureMessage } from '../../../src/reconciler/messages.ts';
import type { Route } from '../../../src/reconciler/routing.ts';
import type { Environment } from './environment.ts';
import { BASE_DOMAIN } from './invariants.ts';
import { PERMANENT_REASONS } from './refs.ts';
import { expectedRelease, isCancelled, settledProblems } from './settled-problems.ts';
import type { SimulatedServer } from './simulated-server.ts';

const { signal } = new AbortController();

/** What is wrong after the faults have stopped and enough time has passed. */
export async function finalProblems(
  environment: Environment,
  server: SimulatedServer,
): Promise<string[]> {
  const problems = await Promise.all(
    environment.store.rows().map(async ({ id, deleted }) => {
      const found = await (deleted ? leftoversOf(id) : problemsOf(id));
      const published = isRestarting(id) ? [] : publishedProblems(id);
      return [...found, ...published].map((problem) => `${id}: ${problem}`);
    }),
  );
  return problems.flat();

  /** Its instances crash and are restarted repeatedly, one by one, so it may be in any state. */
  function isRestarting(appId: string): boolean {
    const { spec, replicas } = desiredApp(environment.store.row(appId), BASE_DOMAIN);
    return replicas > 1 && environment.refOf(spec) === 'crashing';
  }

  /** What users see beside the status. */
  function publishedProblems(appId: string): string[] {
    const { serving, retry } = environment.store.observedOf(appId);
    const { status } = environment.store.statusOf(appId);
    const { hosts, route } = server.routes.of(appId) ?? {};
    const targets = route?.kind === 'live' ? route.targets : [];
    const instances = targets.map(({ port }) => environment.running.get(port)?.instance);
    const shown = serving && [serving.release, ...servingNames(serving).sort(), serving.hosts];
    const expected = instances[0] && [
      instances[0].release,
      ...instances.map((instance) => instance?.logName).sort(),
      hosts,
    ];
    const areRunning = instances.every((instance) => instance !== undefined);
    return [
      ...(!areRunning || isDeepStrictEqual(shown, expected)
        ? []
        : ['another release is shown as serving']),
      ...(retry === undefined || status === 'backoff' ? [] : ['it is shown as waiting']),
    ];
  }

  async function leftoversOf(appId: string): Promise<string[]> {
    const { built, instances } = await environment.engine.observe(appId, signal);
    const isOnEngine = (await environment.engine.listApps(signal)).includes(appId);
    return [
      ...(isOnEngine || built.length > 0 ? ['the engine still has a build of it'] : []),
      ...(instances.length > 0 ? ['it still has an instance'] : []),
      ...(server.routes.of(appId) === undefined ? [] : ['it still has a route']),
      ...(environment.logs.has(appId) ? ['its log still exists'] : []),
    ];
  }

  async function problemsOf(appId: string): Promise<string[]> {
    const desired = desiredApp(environment.store.row(appId), BASE_DOMAIN);
    const observed = await environment.engine.observe(appId, signal);
    const route = server.routes.of(appId);
    const { status, message, observedGeneration } = environment.store.statusOf(appId);
    const releases = environment.store.releasesOf(appId);
    const expected = expectedRelease(desired, releases);
    const wasCancelled = isCancelled(desired, releases.at(-1)) && desired.instances > 0;
    const ref = expectedRef();
    const reasons = PERMANENT_REASONS[ref];
    const stale =
      observedGeneration === desired.generation ? [] : ['its status is about an old generation'];
    if (ref === 'crashing' && desired.replicas > 1) return stale;
    if (status === 'synced' && (reasons.length === 0 || ref === 'crashing')) {
      const settled = settledProblems({ desired, observed, route, releases });
      return [...stale, ...settled, ...unprotected(desired, observed.instances)];
    }
    const isPermanent =
      wasCancelled && expected === undefined
        ? message === CANCELLED_MESSAGE
        : reasons.some((reason) => message?.startsWith(failureMessage(reason, [])));
    if (status !== 'backoff' || !isPermanent)
      return [...stale, `its status is ${status}: ${message}`];
    // It is restarted repeatedly, so it may be in any state.
    if (ref === 'crashing') return stale;
    return [...stale, ...fallbackProblems(appId, observed, route?.route.kind)];

    function expectedRef() {
      if (desired.instances === 0) return 'main';
      const served = wasCancelled && expected && environment.refOfRelease(appId, expected.number);
      return served || environment.refOf(desired.spec);
    }
  }

  /** The newest release failed, so the one before it serves, if there is one. */
  function fallbackProblems(
    appId: string,
    { instances }: ObservedApp,
    route: Route['kind'] | undefined,
  ): string[] {
    const lastLive = environment.store
      .releasesOf(appId)
      .findLast(({ outcome }) => outcome === 'live');
    if (lastLive !== undefined && environment.refOfRelease(appId, lastLive.number) === 'crashing')
      return [];
    const running = instances.filter(({ state }) => state.kind === 'running');
    const desired = desiredApp(environment.store.row(appId), BASE_DOMAIN);
    const expected = lastLive === undefined ? [] : Array(desired.replicas).fill(lastLive.number);
    const isRight = isDeepStrictEqual(
      running.map(({ release }) => release),
      expected,
    );
    return [
      ...(isRight ? [] : ['the previous release is not the only one running']),
      ...unprotected(desired, running),
      ...(route === (lastLive === undefined ? 'failed' : 'live') ? [] : [`its route is ${route}`]),
    ];
  }
}

/** Only at the end: an app is settled while a failed protection waits for its repetition. A single instance needs none. */
function unprotected({ replicas }: DesiredApp, instances: Instance[]): string[] {
  const isProtected = replicas === 1 || instances.every(({ isUnprotected }) => !isUnprotected);
  return isProtected ? [] : ['an instance is not protected'];
}
