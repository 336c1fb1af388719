import { formatStatusMessage } from '@longshore/contract';
import type { Reason } from '../engines/failure.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';

/** Shown when nothing runs after the first deployment was cancelled. */
export const CANCELLED_MESSAGE = formatStatusMessage(
  'The deployment was cancelled.',
  'To deploy the app, redeploy it or change its settings.',
  [],
);

export function failureMessage(reason: Reason, evidence: string[]): string {
  const { whatHappened, whatToDo } = FAILURE_MESSAGES[reason];
  return formatStatusMessage(whatHappened, whatToDo, evidence);
}
