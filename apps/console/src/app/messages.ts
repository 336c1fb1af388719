/** Texts of the pages that belong to no feature. */
export const MESSAGES = {
  notFound: { title: 'Page not found', text: 'This page does not exist.' },
  startFailed: {
    title: 'Cannot reach the server',
    text: 'The server may be starting. Your data is safe.',
  },
  /** Exact text (spec-map 8.2.3). */
  sessionLost: 'Authentication Error',
  linkExpired: 'This link has expired or was already used. Request a new one.',
  unknownProject: 'Project',
} as const;
