import type { Exit } from '../engines/engine.ts';
import type { Reason } from '../engines/failure.ts';
import type { Phase } from './release.ts';

/**
 * The sentence of each reason. The console rewords what it reads (spec §4): a failed build says *build* and
 * *job*, and no other sentence may hold both. Names and text of the user's never enter the sentence; they
 * follow it as evidence, on lines of their own.
 */
const SENTENCES: Record<Reason, string> = {
  'repository-not-found': 'The repository was not found. Check the source URL.',
  'repository-refused':
    'The repository asks for a sign-in. Only public repositories can be read without one.',
  'repository-unreachable': 'The repository could not be reached. It is tried again by itself.',
  'repository-too-large': 'The repository is too large to be fetched.',
  'source-not-allowed':
    'The source is on this machine or its private network, which the operator does not allow.',
  'ref-not-found': 'The repository has no branch, tag or commit of this name.',
  'nothing-to-build': 'Nothing in the repository says how to run it.',
  'build-failed': 'The build job failed.',
  'build-timed-out': 'The build job took too long and was stopped.',
  'image-unsupported': 'Container images need Docker, and none answers on this machine.',
  'owner-not-allowed':
    'Only the first account may run apps here, because Longshore was not started as root and cannot keep apps of several accounts apart.',
  'port-never-answered': 'The app started but never answered on its port.',
  'app-exited': 'The app stopped and is started again after a pause.',
  'engine-failed': 'Something went wrong on the server. It is tried again by itself.',
};

/** A transient cause is worth trying again by itself; the others stand until the next edit. */
const IS_RETRIED: Record<Reason, boolean> = {
  'repository-not-found': false,
  'repository-refused': false,
  'repository-unreachable': true,
  'repository-too-large': false,
  'source-not-allowed': false,
  'ref-not-found': false,
  'nothing-to-build': false,
  'build-failed': false,
  'build-timed-out': false,
  'image-unsupported': false,
  'owner-not-allowed': false,
  'port-never-answered': false,
  'app-exited': true,
  'engine-failed': true,
};

/** What the app is Loading for. The console shows "deploy" where we say "reconcile". */
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
  return [SENTENCES[reason], ...evidence].join('\n');
}

export function isRetried(reason: Reason): boolean {
  return IS_RETRIED[reason];
}

export function progressMessage(phase: Phase | 'stopping'): string {
  return PROGRESS[phase];
}

/** How an app ended, in words; nobody saw it when it ended while Longshore was away. */
export function exitSentence({ code, signal }: Exit): string {
  if (signal !== undefined) return `It was ended by ${signal}.`;
  return code === undefined ? 'Its exit code is not known.' : `Its exit code was ${code}.`;
}
