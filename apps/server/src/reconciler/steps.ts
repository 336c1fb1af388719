import { pinRevision } from '@longshore/contract';
import type { Phase, Release } from '../apps/releases.ts';
import type { Instance, ReleaseSpec } from '../engines/engine.ts';
import { EngineFailure, type Reason, toEngineFailure } from '../engines/failure.ts';
import { isRetried } from '../engines/failure-messages.ts';
import { type DesiredApp, madeOf } from './desired.ts';
import { crashEvidence, crashReason } from './exits.ts';
import { failureMessage, progressMessage } from './messages.ts';
import type { PassDeps } from './pass-deps.ts';
import { removeApp } from './remove-app.ts';
import type { Step } from './step.ts';

/** What an engine says of an instance that ended while it was waited for. */
const ENDED: Reason[] = ['app-exited', 'out-of-memory'];

/** Whether the pass is over. */
export type Ended = 'ended' | 'go-on';

/** Takes one step for one app. A failure that was foreseen becomes a status; another one is tried again. */
export function createSteps(desired: DesiredApp, signal: AbortSignal, deps: PassDeps) {
  const { store, engine, traffic } = deps;
  const appId = desired.id;
  const retries = deps.retries.of(appId, desired.generation);
  const specOf = ({ number, values }: Release): ReleaseSpec => ({
    ...desired.spec,
    ...madeOf(values),
    number,
  });

  return async (step: Step): Promise<Ended> => {
    try {
      return await take(step);
    } catch (error) {
      signal.throwIfAborted();
      return await fail(error, step);
    }
  };

  async function take(step: Step): Promise<Ended> {
    switch (step.kind) {
      case 'remove':
        await removeApp(desired, signal, deps);
        return 'ended';
      case 'stop':
        await progress('stopping');
        for (const instance of step.instances) await stop(instance);
        return 'go-on';
      case 'release':
        await addRelease(step.from);
        return 'go-on';
      case 'build':
        await build(step.release);
        return 'go-on';
      case 'reuse':
        await engine.reuseBuild(specOf(step.release), step.from, signal);
        return 'go-on';
      case 'start':
        // The app is waited for as long as its newest release is, whatever serves meanwhile.
        if (step.role === 'newest') await reach(step.release, 'starting');
        await engine.startInstance(specOf(step.release), signal);
        return 'go-on';
      case 'check':
        await check(step.instance, step.release);
        return 'go-on';
      case 'crashed':
        return await crashed(step);
      case 'prune':
        await engine.pruneReleases(appId, step.keep, signal);
        return 'go-on';
      case 'failed':
        await reportFailure(step.release.reason ?? 'engine-failed', step.release.evidence);
        if (step.until !== undefined) retries.wakeAt(step.until);
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

  async function addRelease(from: Release | undefined): Promise<void> {
    const { generation, desiredHash, values } = desired;
    await store.addRelease({ appId, generation, desiredHash, values, from });
    await progress('queued');
  }

  /** What was built once is built of the same again, though its branch may have moved on. */
  function buildSpecOf(release: Release): ReleaseSpec {
    const { revision, values } = release;
    return specOf(
      revision === undefined ? release : { ...release, values: pinRevision(revision, values) },
    );
  }

  async function build(release: Release): Promise<void> {
    const releaseSlot = await deps.buildSlots.acquire(signal);
    // Told one after the other, so that the phase shown last is the last one.
    let told = Promise.resolve();
    const tell = (phase: Phase) => {
      told = told.then(() => reach(release, phase)).catch((error) => deps.logError(error, appId));
    };
    try {
      const { revision } = await engine.build(buildSpecOf(release), tell, signal);
      if (release.revision === undefined) {
        await store.setRevision(appId, release.number, revision);
      }
    } finally {
      await told;
      releaseSlot();
    }
  }

  async function check(instance: Instance, release: Release): Promise<void> {
    // One that served before is looked at again after a restart of ours: nobody has to wait for that.
    if (release.outcome === undefined) await reach(release, 'checking');
    await engine.waitUntilListening(instance, specOf(release), signal);
    if (release.outcome === undefined) {
      await store.addPhase(appId, release.number, 'live');
      await store.endRelease({ appId, number: release.number, outcome: 'live' });
    }
    // Last, because what serves is not checked again: whatever failed before is made again.
    traffic.serve(desired, instance);
  }

  async function stop(instance: Instance): Promise<void> {
    await traffic.drained(instance);
    await engine.stopInstance(appId, instance, signal);
  }

  /** The status speaks of the newest release; another one that stopped is only started again. */
  async function crashed({ instance, release, role }: Step & { kind: 'crashed' }): Promise<Ended> {
    if (instance.state.kind !== 'exited') return 'go-on';
    const { exit } = instance.state;
    const ranMs = exit.at.getTime() - instance.startedAt.getTime();
    const crashes = retries.failed(role, { instanceId: instance.id, ranMs });
    if (role === 'fallback') return 'go-on';
    const reason = crashReason(exit, crashes);
    const evidence = [...crashEvidence(exit, crashes), ...(await lastLines(instance))];
    if (release.outcome === undefined && !isRetried(reason)) {
      await endFailed(release, new EngineFailure(reason, evidence));
    } else {
      await reportFailure(reason, evidence);
    }
    return 'go-on';
  }

  /** An app is started again although its log cannot be read. */
  async function lastLines(instance: Instance): Promise<string[]> {
    try {
      return await deps.lastLines(appId, instance);
    } catch (error) {
      deps.logError(error, appId);
      return [];
    }
  }

  async function fail(error: unknown, step: Step): Promise<Ended> {
    const failure = toEngineFailure(error);
    // Seen again at once as an exited instance, and counted there.
    if (ENDED.includes(failure.reason)) return 'go-on';
    if (failure.reason === 'engine-failed') deps.logError(error, appId);
    const release = 'release' in step ? step.release : undefined;
    const isFinal = release?.outcome === undefined && !isRetried(failure.reason);
    if (release !== undefined && isFinal) {
      await endFailed(release, failure);
      return 'go-on';
    }
    const role = 'role' in step ? step.role : 'newest';
    retries.failed(role, { instanceId: undefined, ranMs: 0 });
    if (role === 'newest') await reportFailure(failure.reason, failure.evidence);
    return 'go-on';
  }

  async function endFailed({ number }: Release, { reason, evidence }: EngineFailure) {
    const message = failureMessage(reason, []);
    await store.endRelease({ appId, number, outcome: 'failed', reason, evidence, message });
  }

  async function reach(release: Release, phase: Phase): Promise<void> {
    if (release.outcome === undefined) await store.addPhase(appId, release.number, phase);
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
