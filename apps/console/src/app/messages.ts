/** What the pages say that belong to no feature. */
export const MESSAGES = {
  notFound: { title: 'Page not found', text: 'There is nothing at this address.' },
  startFailed: {
    title: 'Longshore does not answer',
    text: 'The server may be starting. Nothing you did is lost.',
  },
  /** Spec §8. */
  sessionLost: 'Authentication Error',
  staleLink: 'This link has been used before, or is too old. Please ask for a new one.',
  unknownProject: 'Project',
} as const;
