import type { Engine, Instance, ReleaseSpec } from '../engines/engine.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import { type DesiredApp, desiredApp } from './desired.ts';
import { exitSentence, failureMessage, isRetried, progressMessage } from './messages.ts';
import { nextStep, type Situation, type Step, servingInstance } from './plan.ts';
import type { Phase, Release } from './release.ts';
import type { Retries } from './retries.ts';
import type { ReconcilerStore } from './store.ts';
import type { Traffic } from './traffic.ts';

export type PassDeps = {
  store: ReconcilerStore;
  engine: Engine;
  traffic: Traffic;
  retries: Retries;
  /** The newest lines an app printed, for evidence. */
  lastLines(appId: string): Promise<string[]>;
  /** Forgets everything an app printed. */
  forgetLogs(appId: string): Promise<void>;
  /** Waits for one of the few places in which builds run. */
  buildPlace: (signal: AbortSignal) => Promise<() => void>;
  baseDomain: string;
  clock: { now(): number };
  logError(error: unknown, appId: string): void;
};

type Ended = 'ended' | 'go-on';

/**
 * One pass: observe, decide, take one step, and again, until nothing is left to do. Whatever a pass was cut
 * off in the middle of, the next one sees it and goes on from there.
 */
export async function reconcile(appId: string, signal: AbortSignal, deps: PassDeps): Promise<void> {
  const app = await deps.store.app(appId);
  if (app === undefined) return await remove({ id: appId, generation: 0 }, signal, deps);
  if (app.deleted) return await remove(app, signal, deps);
  const desired = desiredApp(app, deps.baseDomain);
  const retries = deps.retries.of(appId, desired.generation);
  for (let ended: Ended = 'go-on'; ended === 'go-on'; ) {
    signal.throwIfAborted();
    const situation: Situation = {
      desired,
      observed: await deps.engine.observe(appId, signal),
      ...(await deps.store.releases(appId)),
      serving: deps.traffic.serving(appId),
      retry: retries.next(),
      now: deps.clock.now(),
    };
    const step = nextStep(situation);
    deps.traffic.show(desired, servingInstance(situation), step);
    ended = await createSteps(desired, signal, deps)(step);
  }
}

type Removed = Pick<DesiredApp, 'id' | 'generation'>;

/** The report comes last: until then, a removal that was cut off is made again. */
async function remove({ id, generation }: Removed, signal: AbortSignal, deps: PassDeps) {
  deps.traffic.remove(id);
  await deps.engine.remove(id, signal);
  await deps.forgetLogs(id);
  deps.retries.forget(id);
  await deps.store.report({ appId: id, generation, status: 'synced', message: '' });
}

/** Takes one step for one app. A failure that was foreseen becomes a status; another one is tried again. */
function createSteps(desired: DesiredApp, signal: AbortSignal, deps: PassDeps) {
  const { store, engine, traffic } = deps;
  const appId = desired.id;
  const retries = deps.retries.of(appId, desired.generation);
  const specOf = (release: Release): ReleaseSpec => ({ ...desired.spec, number: release.number });

  return async (step: Step): Promise<Ended> => {
    try {
      return await take(step);
    } catch (error) {
      signal.throwIfAborted();
      const release = 'release' in step ? step.release : undefined;
      return await fail(error, release);
    }
  };

  async function take(step: Step): Promise<Ended> {
    switch (step.kind) {
      case 'remove':
        await remove(desired, signal, deps);
        return 'ended';
      case 'stop':
        await progress('stopping');
        for (const instance of step.instances) await stop(instance);
        return 'go-on';
      case 'release':
        await store.addRelease({ appId, generation: desired.generation, wish: desired.wish });
        await progress('queued');
        return 'go-on';
      case 'build':
        await build(step.release);
        return 'go-on';
      case 'start':
        await reach(step.release, 'starting');
        await engine.start(specOf(step.release), signal);
        return 'go-on';
      case 'check':
        await check(step.instance, step.release);
        return 'go-on';
      case 'crashed':
        return await crashed(step.instance);
      case 'prune':
        await engine.prune(appId, step.keep, signal);
        return 'go-on';
      case 'failed':
        await reportFailure(step.release.reason ?? 'engine-failed', step.release.evidence);
        return 'ended';
      case 'wait':
        retries.wakeAt(step.until);
        return 'ended';
      case 'settled':
        retries.settle();
        await store.report({
          appId,
          generation: desired.generation,
          status: 'synced',
          message: '',
        });
        return 'ended';
    }
  }

  async function build(release: Release): Promise<void> {
    const leave = await deps.buildPlace(signal);
    // Told one after the other, so that the phase shown last is the last one.
    let told = Promise.resolve();
    const tell = (phase: Phase) => {
      told = told.then(() => reach(release, phase)).catch((error) => deps.logError(error, appId));
    };
    try {
      const { revision } = await engine.build(specOf(release), tell, signal);
      await store.setRevision(appId, release.number, revision);
    } finally {
      await told;
      leave();
    }
  }

  async function check(instance: Instance, release: Release): Promise<void> {
    await reach(release, 'checking');
    await engine.answers(instance, specOf(release), signal);
    if (release.outcome === undefined) {
      await store.reachPhase(appId, release.number, 'live');
      await store.endRelease({ appId, number: release.number, outcome: 'live' });
    }
    // Last, because what serves is not checked again: whatever failed before is made again.
    traffic.serve(desired, instance);
  }

  async function stop(instance: Instance): Promise<void> {
    await traffic.drained(instance);
    await engine.stop(appId, instance, signal);
  }

  async function crashed(instance: Instance): Promise<Ended> {
    if (instance.state.kind !== 'exited') return 'go-on';
    const { exit } = instance.state;
    const ranMs = exit.at.getTime() - instance.startedAt.getTime();
    retries.failed({ instanceId: instance.id, ranMs });
    await reportFailure('app-exited', [exitSentence(exit), ...(await lastLines())]);
    return 'go-on';
  }

  /** An app is started again although its log cannot be read. */
  async function lastLines(): Promise<string[]> {
    try {
      return await deps.lastLines(appId);
    } catch (error) {
      deps.logError(error, appId);
      return [];
    }
  }

  async function fail(error: unknown, release: Release | undefined): Promise<Ended> {
    const failure =
      error instanceof EngineFailure
        ? error
        : new EngineFailure('engine-failed', [], { cause: error });
    // Seen again at once as an exited instance, and counted there.
    if (failure.reason === 'app-exited') return 'go-on';
    if (failure.reason === 'engine-failed') deps.logError(error, appId);
    if (release !== undefined && !isRetried(failure.reason)) {
      const { reason, evidence } = failure;
      await store.endRelease({
        appId,
        number: release.number,
        outcome: 'failed',
        reason,
        evidence,
      });
      return 'go-on';
    }
    retries.failed({ instanceId: undefined, ranMs: 0 });
    await reportFailure(failure.reason, failure.evidence);
    return 'go-on';
  }

  async function reach(release: Release, phase: Phase): Promise<void> {
    if (release.outcome === undefined) await store.reachPhase(appId, release.number, phase);
    await progress(phase);
  }

  /** An app that is being tried again stays in Error until it works: it must not flicker. */
  async function progress(phase: Phase | 'stopping'): Promise<void> {
    if (retries.isTryingAgain()) return;
    const message = progressMessage(phase);
    await store.report({ appId, generation: desired.generation, status: 'syncing', message });
  }

  async function reportFailure(reason: Reason, evidence: string[]): Promise<void> {
    const message = failureMessage(reason, evidence);
    await store.report({ appId, generation: desired.generation, status: 'backoff', message });
  }
}
