/** Fixed texts of the shell. Spec §1 and §2. */
export const MESSAGES = {
  footer: '© 2025 Longshore. All rights reserved.',
  cloudStatus: { title: 'Cloud Status', text: 'All services operational' },
  reconnecting: 'Reconnecting…',
} as const;
