import { desiredApp } from './desired.ts';
import type { PassDeps } from './pass-deps.ts';
import { nextStep } from './plan.ts';
import { removeApp } from './remove-app.ts';
import { type Situation, servingInstance } from './situation.ts';
import { createSteps, type Ended } from './steps.ts';

/**
 * One pass: observe, decide, take one step, and again, until nothing is left to do. Whatever a pass was cut
 * off in the middle of, the next one sees it and goes on from there.
 */
export async function reconcile(appId: string, signal: AbortSignal, deps: PassDeps): Promise<void> {
  const app = await deps.store.app(appId);
  if (app === undefined) return await removeApp({ id: appId, generation: 0 }, signal, deps);
  if (app.deleted) return await removeApp(app, signal, deps);
  const desired = desiredApp(app, deps.baseDomain);
  const retries = deps.retries.of(appId, desired.generation);
  const take = createSteps(desired, signal, deps);
  for (let ended: Ended = 'go-on'; ended === 'go-on'; ) {
    signal.throwIfAborted();
    const situation: Situation = {
      desired,
      observed: await deps.engine.observe(appId, signal),
      ...(await deps.store.releases(appId)),
      serving: deps.traffic.serving(appId),
      retry: retries.next('newest'),
      fallbackRetry: retries.next('fallback'),
      now: deps.clock.now(),
    };
    const step = nextStep(situation);
    deps.traffic.show(desired, servingInstance(situation), step);
    ended = await take(step);
  }
}
