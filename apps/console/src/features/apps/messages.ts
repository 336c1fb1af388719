/** Texts of spec §4 and §8. */
export const MESSAGES = {
  updating: 'Application is currently updating',
  processing: 'Processing request...',
  hibernate: 'Hibernate',
  wake: 'Wake',
  deployment: 'Deployment',
  waiting: 'Waiting for the server',
  usually: (duration: string) => `usually ${duration}`,
  doesNotRun: 'The application does not run',
  servesMeanwhile: (release: number, isPublic: boolean) =>
    `The previous release, #${release}, keeps serving${isPublic ? ' at' : '.'}`,
  openLogs: 'Open logs',
  changeSettings: 'Change settings',
  editApp: 'Edit App',
  delete: 'Delete',
  sleepFailed: 'Failed to hibernate/wake application',
  changedMeanwhile: 'Somebody changed the application meanwhile. Look at it again, then repeat.',
  deleteFailed: 'Error deleting application',
  notFound: 'Application not found',
  publicAccess: 'Public access',
  asleep: 'The application is hibernated and does not answer at this address.',
  wakesForVisitors: 'The application sleeps. The next visitor wakes it.',
  sleepsAfter: (minutes: number) =>
    `Sleeps after ${minutes === 1 ? '1 minute' : `${minutes} minutes`} without visitors; the next one wakes it.`,
  domainStates: {
    checking: 'Looking whether the domain leads here…',
    verified: 'The domain leads here.',
    taken:
      'The domain leads to another app, for which it was verified first. Choose another domain.',
    elsewhere: 'Not yet: the domain leads to another address.',
    missing: 'Not yet: the domain has no address.',
    unanswered: 'The name servers did not answer in time.',
    unknown: 'It could not be found out whether the domain leads here.',
  },
  checkAgain: 'Check again',
  dnsNote: 'It can take up to 24 hours until a DNS change is known everywhere.',
} as const;
