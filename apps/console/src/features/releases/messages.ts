export const MESSAGES = {
  title: 'Releases',
  none: 'Every attempt to run this application appears here, to look at and to go back to.',
  buildLog: 'Build log',
  rollBack: 'Roll back',
  rollBackFailed: 'Roll back failed',
  first: 'First release',
  again: 'Deployed again',
  newCommit: 'New commit',
  newImage: 'New image',
  loadFailed: 'The releases could not be loaded',
} as const;
