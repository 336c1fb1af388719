import type { Reason } from '../engines/failure.ts';
import type { AppFailure } from './retries.ts';

/** Failures that an engine reports for an instance which exits while it is checked. */
export const EXIT_REASONS: Reason[] = ['app-exited', 'out-of-memory'];
/** Failures that end when the machine works again, whatever the app is. */
export const MACHINE_REASONS: Reason[] = [
  'disk-full',
  'engine-down',
  'engine-failed',
  'cluster-down',
];

/** `isStartedHere`: by this server. `othersServe`: other instances of its release. */
export type CheckedRun = {
  run: string;
  reason: Reason;
  isStartedHere: boolean;
  othersServe: boolean;
};

/**
 * What is delayed after instances of a release that served before did not answer: their replacement, or the next check of those
 * that may still serve. That is so after a failure of the machine, and after a server restart if nothing else serves.
 */
export function delayAfterChecks(
  checked: CheckedRun[],
): Required<Pick<AppFailure, 'unanswered' | 'step'>> {
  const failed = checked.filter(({ reason }) => !EXIT_REASONS.includes(reason));
  const isReplaced = ({ reason, isStartedHere, othersServe }: CheckedRun) =>
    !MACHINE_REASONS.includes(reason) && (isStartedHere || othersServe);
  return {
    unanswered: failed.filter(isReplaced).map(({ run }) => run),
    step: failed.every(isReplaced) ? undefined : 'check',
  };
}
