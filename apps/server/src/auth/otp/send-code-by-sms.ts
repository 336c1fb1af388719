import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { CODE_LIFETIMES } from '../one-time-codes.ts';

export type SmsRecipient = { userId: string; phoneNumber: string };

const LIFETIME_MINUTES = CODE_LIFETIMES.sms / 60;

/** The user gets a general error; the cause is logged for the operator. */
export async function sendCodeBySms(
  { oneTimeCodes, smsSender, logError }: Pick<AuthDeps, 'oneTimeCodes' | 'smsSender' | 'logError'>,
  { userId, phoneNumber }: SmsRecipient,
): Promise<void> {
  const code = await oneTimeCodes.issue({ userId, channel: 'sms', to: phoneNumber });
  const text = `${code} is your Longshore code. It works once, within ${LIFETIME_MINUTES} minutes.`;
  try {
    await smsSender.send({ to: phoneNumber, text });
  } catch (cause) {
    logError(cause);
    throw new AuthProblem('cannot-send-sms', { cause });
  }
}
