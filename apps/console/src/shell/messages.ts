/** Fixed texts of the shell. Spec §1 and §2. */
export const MESSAGES = {
  footer: '© 2025 Longshore. All rights reserved.',
  cloudStatus: { title: 'Cloud Status', text: 'All services operational' },
  reconnecting: 'Reconnecting…',
  palette: {
    title: 'Go to, or do',
    open: 'Go to…',
    placeholder: 'Where to go, or what to do',
    nothing: 'Nothing is called like that.',
    documentation: 'Documentation',
    signOut: 'Sign out',
    themes: [
      { theme: 'light', label: 'Light theme' },
      { theme: 'dark', label: 'Dark theme' },
      { theme: 'amber', label: 'Amber theme' },
      { theme: 'system', label: 'Theme of the system' },
    ],
  },
  help: {
    title: 'Keyboard',
    keys: [
      { keys: ['Ctrl', 'K'], does: 'Go to a page, project or application, or act on it' },
      { keys: ['/'], does: 'Search what is on the page' },
      { keys: ['Esc'], does: 'Close, or empty the search' },
      { keys: ['F8'], does: 'Go to the notification' },
      { keys: ['Tab'], does: 'Next button, link or field' },
      { keys: ['?'], does: 'This help' },
    ],
  },
} as const;
