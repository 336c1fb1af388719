import {
  type DeploymentPhase,
  type Progress,
  progressMessage,
  queueMessage,
} from '@longshore/contract';
import type { StatusReport } from '../apps/reconciler-store.ts';
import type { Release } from '../apps/releases.ts';
import type { Reason } from '../engines/failure.ts';
import { CANCELLED_MESSAGE, failureMessage } from './messages.ts';
import type { PassContext } from './pass-context.ts';

export async function reportSettled({ desired, deps }: PassContext): Promise<void> {
  const { id: appId, generation } = desired;
  await deps.store.report({ appId, generation, status: 'synced', message: '' });
}

/** Nothing runs, because the first deployment was cancelled. */
export async function reportCancelled({ desired, deps }: PassContext): Promise<void> {
  const { id: appId, generation } = desired;
  await deps.store.report({ appId, generation, status: 'backoff', message: CANCELLED_MESSAGE });
}

/** An app that is being retried stays in Error until it works, so that its status does not flicker. */
export async function reportProgress(progress: Progress, pass: PassContext): Promise<void> {
  await reportSyncing(progressMessage(progress), pass);
}

/** `place`: in the queue of builds, from 1. */
export async function reportWaiting(place: number, pass: PassContext): Promise<void> {
  await reportSyncing(queueMessage(place), pass);
}

/** After a change of the desired state that does not affect what is in progress. */
export async function reportSameProgress(pass: PassContext): Promise<void> {
  if (pass.progress !== undefined) await reportSyncing(pass.progress, pass);
}

async function reportSyncing(message: string, pass: PassContext): Promise<void> {
  const { desired, retries, deps } = pass;
  pass.progress = message;
  if (retries.isRetrying()) return;
  const { id: appId, generation } = desired;
  await deps.store.report({ appId, generation, status: 'syncing', message });
}

/** Reports progress, and adds the phase to a release that is in progress. */
export async function reportPhase(
  phase: DeploymentPhase,
  release: Release,
  pass: PassContext,
): Promise<void> {
  if (release.outcome === undefined) {
    await pass.deps.store.addPhase(pass.desired.id, release.number, phase);
  }
  await reportProgress(phase, pass);
}

/** `retry`: when it is tried again, if that is known. */
type Failure = { reason: Reason; evidence: string[]; retry?: StatusReport['retry'] };

export async function reportFailure(
  { reason, evidence, retry }: Failure,
  { desired, deps }: Pick<PassContext, 'desired' | 'deps'>,
): Promise<void> {
  const { id: appId, generation } = desired;
  const message = failureMessage(reason, evidence);
  await deps.store.report({ appId, generation, status: 'backoff', message, retry });
}
