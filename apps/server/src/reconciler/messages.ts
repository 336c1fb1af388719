import { formatStatusMessage } from '@longshore/contract';
import type { Reason } from '../engines/failure.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';

export function failureMessage(reason: Reason, evidence: string[]): string {
  const { whatHappened, whatToDo } = FAILURE_MESSAGES[reason];
  return formatStatusMessage(whatHappened, whatToDo, evidence);
}
