export const MESSAGES = {
  title: 'Releases',
  none: 'Every attempt to run this application appears here, to look at and to go back to.',
  outcomes: {
    live: 'Live',
    replaced: 'Replaced',
    failed: 'Failed',
    superseded: 'Superseded',
    'under-way': 'In progress',
    retrying: 'Retrying',
    paused: 'Paused',
  },
  took: (duration: string) => `took ${duration}`,
  underASecond: 'under 1 s',
  buildLog: 'Build log',
  buildLogOf: (release: number) => `Build log of release ${release}`,
  rollBack: 'Roll back',
  rollBackTo: (release: number) => `Roll back to release ${release}`,
  rollback: {
    reuses: (release: number) =>
      `The build of release ${release} is used again, so this takes seconds.`,
    stays: (revision: string) =>
      `The application stays at ${revision} until you edit where it comes from. Its name and addresses stay as they are.`,
  },
  diff: {
    none: 'none',
    env: {
      added: 'Variables added',
      changed: 'Variables changed',
      removed: 'Variables removed',
    },
  },
  rollBackFailed: 'Roll back failed',
  first: 'First release',
  again: 'Deployed again',
  backTo: (release: number) => `Back to release ${release}`,
  changed: (names: string) => `Changed ${names}`,
  newCommit: 'New commit',
  newImage: 'New image',
  by: (name: string) => `By ${name}`,
  you: 'you',
  somebody: 'somebody else',
  operator: 'the operator',
  withToken: (name: string, token: string) =>
    `${name}, with ${token === '' ? 'a token' : `the token “${token}”`}`,
  rolledBack: (name: string, to: number) => `Rollback by ${name} to #${to}`,
  push: (ref: string, name: string) => `Push to ${ref}${name === '' ? '' : ` by ${name}`}`,
  loadFailed: 'The releases could not be loaded',
} as const;
