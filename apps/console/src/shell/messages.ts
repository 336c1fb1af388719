/** Texts of the shell. Footer, cloud status and page names are exact (spec-map 1 and 2.2). */
export const MESSAGES = {
  footer: '© 2025 Longshore. All rights reserved.',
  cloudStatus: {
    title: 'Cloud Status',
    text: 'All services operational',
    lost: 'Connection lost. Reconnecting…',
  },
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
    system: 'System theme',
  },
  documentation: 'Documentation',
  signOut: 'Sign out',
  palette: {
    title: 'Command palette',
    open: 'Go to…',
    placeholder: 'Search pages, projects, apps and commands',
    noResults: 'No results',
    confirm: 'Press Enter or click again to confirm',
    keys: ['Ctrl', 'K'],
    groups: {
      here: 'This page',
      pages: 'Pages',
      projects: 'Projects',
      applications: 'Applications',
      preferences: 'Preferences',
    },
  },
  help: {
    title: 'Keyboard shortcuts',
    keys: [
      { keys: ['Ctrl', 'K'], does: 'Open the command palette' },
      { keys: ['/'], does: 'Search this page' },
      { keys: ['Esc'], does: 'Close, or clear the search' },
      { keys: ['F8'], does: 'Focus the notification' },
      { keys: ['Tab'], does: 'Next button, link or field' },
      { keys: ['?'], does: 'Show this help' },
    ],
  },
} as const;
