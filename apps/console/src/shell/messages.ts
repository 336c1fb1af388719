/** Fixed texts of the shell. Spec §1 and §2. */
export const MESSAGES = {
  footer: '© 2025 Longshore. All rights reserved.',
  cloudStatus: { title: 'Cloud Status', text: 'All services operational' },
  reconnecting: 'Reconnecting…',
  skip: 'Skip to content',
  menu: { open: 'Menu', close: 'Close menu' },
  navigation: 'Main',
  pages: {
    projects: 'Projects',
    integrations: 'Integrations',
    profile: 'Profile',
    security: 'Security',
  },
  accent: 'Accent colour',
  themes: {
    light: 'Light theme',
    dark: 'Dark theme',
    amber: 'Amber theme',
    system: 'Theme of the system',
  },
  documentation: 'Documentation',
  signOut: 'Sign out',
  palette: {
    title: 'Go to, or do',
    open: 'Go to…',
    placeholder: 'Where to go, or what to do',
    nothing: 'Nothing is called like that.',
    keys: ['Ctrl', 'K'],
    groups: {
      here: 'Here',
      pages: 'Pages',
      projects: 'Projects',
      applications: 'Applications',
      preferences: 'Preferences',
    },
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
