/** Words that every feature says in the same way. */
export const WORDS = {
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading',
  tryAgain: 'Try again',
} as const;
