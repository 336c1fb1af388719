/** Phases of a deployment, in order. */
export const DEPLOYMENT_PHASES = [
  'queued',
  'fetching',
  'building',
  'releasing',
  'starting',
  'checking',
  'live',
] as const;

export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/** What the server reports while an app is syncing: also without a deployment, or after it was cancelled. */
export type Progress = DeploymentPhase | 'stopping' | 'cancelling';

/** The console replaces "reconcile" with "deploy". The messages differ, because the console finds the phase by them. */
const MESSAGES: Record<Progress, string> = {
  queued: 'Waiting to reconcile',
  fetching: 'Reconcile: fetching the source',
  building: 'Reconcile: building',
  releasing: 'Reconcile: running the release command',
  starting: 'Reconcile: starting',
  checking: 'Reconcile: waiting for the app to answer on its port',
  live: 'Reconcile: switching over',
  stopping: 'Reconcile: stopping',
  cancelling: 'Reconcile: cancelling the build',
};

/** The status message of an app that is syncing. */
export function progressMessage(progress: Progress): string {
  return MESSAGES[progress];
}

const ORDINAL_ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
};

/** The status message of an app whose build waits. `place`: in the queue, from 1. */
export function queueMessage(place: number): string {
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(place);
  const ordinal = `${place}${ORDINAL_ENDINGS[rule] ?? 'th'}`;
  return `Waiting for a free build slot: ${place === 1 ? 'next' : ordinal} in the queue`;
}

/** The phase that a status message stands for: queued, unless the message is that of another phase. */
export function phaseOf(message: string): DeploymentPhase {
  return DEPLOYMENT_PHASES.find((phase) => MESSAGES[phase] === message) ?? 'queued';
}
