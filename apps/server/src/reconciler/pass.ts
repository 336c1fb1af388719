import { EngineFailure } from '../engines/failure.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import { fallbackStep } from './fallback.ts';
import { failureMessage } from './messages.ts';
import type { PassDeps } from './pass-deps.ts';
import { nextStep } from './plan.ts';
import type { Turn } from './queue.ts';
import { removeApp } from './remove-app.ts';
import { type Situation, servingInstance } from './situation.ts';
import type { Step } from './step.ts';
import { createSteps, type Ended } from './steps.ts';
import { tendWhile } from './tend-while.ts';

/**
 * One pass: observe, decide, take one step, and again, until nothing is left to do. Whatever a pass was cut
 * off in the middle of, the next one sees it and goes on from there.
 */
export async function reconcile(appId: string, turn: Turn, deps: PassDeps): Promise<void> {
  const { signal } = turn;
  const app = await deps.store.app(appId);
  if (app === undefined) return await removeApp({ id: appId, generation: 0 }, signal, deps);
  if (app.deleted) return await removeApp(app, signal, deps);
  const desired = desiredApp(app, deps.baseDomain);
  const retries = deps.retries.of(appId, desired.generation);
  const take = createSteps(desired, signal, deps);
  for (let ended: Ended = 'go-on'; ended === 'go-on'; ) {
    const situation = await look();
    const step = nextStep(situation);
    show(situation, step);
    const taken = take(step);
    ended = await (step.kind === 'build' ? tendWhile(taken, tending(step)) : taken);
  }

  async function look(): Promise<Situation> {
    signal.throwIfAborted();
    return {
      desired,
      observed: await observe(desired, signal, deps),
      ...(await deps.store.releases(appId)),
      serving: deps.traffic.serving(appId),
      retry: retries.next('newest'),
      fallbackRetry: retries.next('fallback'),
      now: deps.clock.now(),
    };
  }

  function show(situation: Situation, step: Step): void {
    deps.traffic.show(desired, servingInstance(situation), step);
  }

  function tending(building: Step) {
    const onError = (error: unknown) => deps.logError(error, appId);
    return { tend: () => tend(building), turn, clock: deps.clock, onError };
  }

  /** Brings up again what serves until the build is done; answers when to look the next time. */
  async function tend(building: Step): Promise<number | undefined> {
    for (;;) {
      const situation = await look();
      const step = fallbackStep(situation);
      show(situation, step ?? building);
      if (step === undefined) return undefined;
      if (step.kind === 'wait') return step.until;
      await take(step);
    }
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
