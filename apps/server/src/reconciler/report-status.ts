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

export async function reportSettled(pass: PassContext): Promise<void> {
  if (pass.written?.isSettled) return;
  await report({ status: 'synced', message: '' }, pass);
}

/** Nothing runs, because the first deployment was cancelled. */
export async function reportCancelled(pass: PassContext): Promise<void> {
  await report({ status: 'backoff', message: CANCELLED_MESSAGE }, pass);
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
  pass.progress = message;
  if (pass.retries.isRetrying()) return;
  await report({ status: 'syncing', message }, pass);
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
  pass: PassContext,
): Promise<void> {
  await report({ status: 'backoff', message: failureMessage(reason, evidence), retry }, pass);
}

async function report(
  reported: Omit<StatusReport, 'appId' | 'generation'>,
  pass: PassContext,
): Promise<void> {
  const { id: appId, generation } = pass.desired;
  pass.written = pass.written && { ...pass.written, isSettled: false };
  await pass.deps.store.report({ appId, generation, ...reported });
}
