/** Texts of spec §2, §4 and §8. */
export const MESSAGES = {
  title: 'Logs',
  authenticationError: 'Authentication Error',
  waiting: 'Waiting for the first line…',
  syncing: 'Logs appear here when the deployment is done.',
  hibernated: 'The application is hibernated. Wake it to see its logs.',
  reconnecting: 'Reconnecting…',
  nothingFound: 'No line matches',
  buildOf: (release: number) => `Build of release ${release}`,
  nothingBuilt: 'Nothing was built for this release, or its lines are not kept any more.',
  download: 'Download',
  jumpToLatest: 'Jump to latest',
  noToken: 'No access token available',
} as const;
