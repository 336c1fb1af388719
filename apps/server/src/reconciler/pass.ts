import { EngineFailure } from '../engines/failure.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import { failureMessage } from './messages.ts';
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
      observed: await observe(desired, signal, deps),
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

/** Nobody sees the app while the engine is away, and nobody may be left to believe that it is fine. */
async function observe({ id, generation }: DesiredApp, signal: AbortSignal, deps: PassDeps) {
  try {
    return await deps.engine.observe(id, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineFailure && error.reason === 'engine-down') {
      const message = failureMessage(error.reason, error.evidence);
      await deps.store.report({ appId: id, generation, status: 'backoff', message });
    }
    throw error;
  }
}
