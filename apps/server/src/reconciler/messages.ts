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
  'integration-not-found':
    'The integration that the app names does not exist any more. Choose another one, or none.',
  'integration-elsewhere':
    'The integration belongs to another host than the source, and is not used there. Choose another one, or none.',
  'integration-expired':
    'The integration has lost its access. Connect it again on the integrations page.',
  'host-key-changed':
    'The git host showed another key than the one known for it, so nothing was sent. If its operator changed the key, connect the integration again.',
  'nothing-to-build': 'Nothing in the repository says how to run it.',
  'build-failed': 'The build job failed.',
  'build-timed-out': 'The build job took too long and was stopped.',
  'build-out-of-memory': 'The build job ran out of memory.',
  'image-unsupported': 'Container images need Docker, and apps run without it here.',
  'image-not-found': 'Back-off: the image was not found in its registry. Check its name and tag.',
  'image-refused':
    'Back-off: the registry gave no access to the image. It does not exist, or it needs a sign-in.',
  'image-wrong-architecture': 'The image is made for another kind of machine than this one.',
  'registry-unreachable':
    'The registry of the image could not be reached. It is tried again by itself.',
  'owner-not-allowed':
    'Only the first account may run apps here, because Longshore was not started as root and cannot keep apps of several accounts apart.',
  'port-never-answered': 'The app started but never answered on its port.',
  'start-command-missing': 'The program to start was not found. Check the start command.',
  'app-exited': 'The app stopped and is started again after a pause.',
  'out-of-memory': 'The app used more memory than its limit and is started again after a pause.',
  'disk-full': 'The disk of the machine is full. It is tried again by itself.',
  'engine-down': 'Docker does not answer. It is tried again by itself.',
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
  'integration-not-found': false,
  'integration-elsewhere': false,
  'integration-expired': false,
  'host-key-changed': false,
  'nothing-to-build': false,
  'build-failed': false,
  'build-timed-out': false,
  'build-out-of-memory': false,
  'image-unsupported': false,
  'image-not-found': false,
  'image-refused': false,
  'image-wrong-architecture': false,
  'registry-unreachable': true,
  'owner-not-allowed': false,
  'port-never-answered': false,
  'start-command-missing': false,
  'app-exited': true,
  'out-of-memory': true,
  'disk-full': true,
  'engine-down': true,
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

/** What a shell or a container's first program answers when it cannot find, or not run, what it was told to. */
const COMMAND_MISSING = [126, 127];

/** Why an app stopped, as far as its end tells. */
export function exitReason({ code = 0, isOutOfMemory = false }: Exit): Reason {
  if (isOutOfMemory) return 'out-of-memory';
  return COMMAND_MISSING.includes(code) ? 'start-command-missing' : 'app-exited';
}

/** How an app ended, in words; nobody saw it when it ended while Longshore was away. */
export function exitSentence({ code, signal }: Exit): string {
  if (signal !== undefined) return `It was ended by ${signal}.`;
  return code === undefined ? 'Its exit code is not known.' : `Its exit code was ${code}.`;
}
