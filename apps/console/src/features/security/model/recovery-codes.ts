import { MESSAGES } from '../messages.ts';

const { recoveryCodes: TEXTS } = MESSAGES;
const LOW = 3;

export type RecoveryCodesView = { text: string; isLow: boolean; action: string };

/** What the page says about the unused recovery codes. Accounts that had an authenticator app before have none. */
export function recoveryCodesView(left: number): RecoveryCodesView {
  if (left === 0) return { text: TEXTS.none, isLow: true, action: TEXTS.create };
  const isLow = left <= LOW;
  const text = `${TEXTS.left(left)} ${isLow ? TEXTS.low : TEXTS.use}`;
  return { text, isLow, action: TEXTS.replace };
}

/** The content of the downloaded file. */
export function recoveryCodesFile(codes: string[], account: string): string {
  return [TEXTS.fileTitle(account), TEXTS.fileText, '', ...codes, ''].join('\n');
}
