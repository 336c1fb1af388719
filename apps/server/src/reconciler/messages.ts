import { formatStatusMessage } from '@longshore/contract';
import type { Phase } from '../apps/releases.ts';
import type { Reason } from '../engines/failure.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';

/** Shown while the app is Loading. The console replaces "reconcile" with "deploy". */
const PROGRESS: Record<Phase | 'stopping', string> = {
  queued: 'Waiting to reconcile',
  fetching: 'Reconcile: fetching the source',
  building: 'Reconcile: building',
  starting: 'Reconcile: starting',
  checking: 'Reconcile: waiting for the app to answer on its port',
  live: 'Reconcile: switching over',
  stopping: 'Reconcile: stopping',
};

export function failureMessage(reason: Reason, evidence: string[]): string {
  const { whatHappened, whatToDo } = FAILURE_MESSAGES[reason];
  return formatStatusMessage(whatHappened, whatToDo, evidence);
}

export function progressMessage(phase: Phase | 'stopping'): string {
  return PROGRESS[phase];
}
