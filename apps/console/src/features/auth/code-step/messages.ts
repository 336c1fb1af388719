/** Apart from the other texts, because the code step is loaded only when it is needed. */
export const MESSAGES = {
  title: 'Enter your code',
  text: 'Enter the six-digit code from your authenticator app.',
  label: 'Code',
  useRecoveryCode: 'Lost your device? Enter a recovery code.',
  recoveryText: 'Enter one of the recovery codes that you saved. Each one works once.',
  recoveryLabel: 'Recovery code',
  useApp: 'Use your authenticator app',
  openLinkAgain: 'Invalid code. Open the link again to retry.',
} as const;
