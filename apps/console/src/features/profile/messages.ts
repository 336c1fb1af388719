/** Titles, labels and toasts are exact (spec-map 2.13, 2.14, 5.2.2 and 8.3). */
export const MESSAGES = {
  title: 'Profile',
  description: 'Manage your account settings and preferences',
  nameFallback: 'User',
  localeFallback: 'Not specified',
  joined: (date: string) => `Joined ${date}`,
  facts: { email: 'Email', account: 'Account', locale: 'Locale', roles: 'Roles' },
  accounts: { anonymous: 'Anonymous', registered: 'Registered' },
  loading: 'Loading your profile',
  settings: 'Account Settings',
  security: 'Security',
  usage: {
    title: 'Usage',
    names: {
      apps: 'Apps',
      memory: 'Memory',
      cpu: 'CPU',
      builds: 'Builds at once',
      disk: 'Disk',
    },
    limited: (used: string, limit: string) => `${used} of ${limit}`,
    unlimited: (used: string) => `${used} · No limit`,
    notMeasured: 'Not measured on this server',
    waiting: (count: number) =>
      count === 1 ? '1 build waits for a free slot.' : `${count} builds wait for a free slot.`,
    perApp: (memory: string, cpus: number) =>
      `An awake app counts its size: ${memory} and ${cpus} CPU unless you choose a larger one. Hibernated apps count nothing.`,
    advice: {
      apps: 'Limit reached. To create an app, delete another one, or ask the operator for a higher limit.',
      memory:
        'Limit reached. To wake or create an app, hibernate or delete another one, or ask the operator for a higher limit.',
      cpu: 'Limit reached. To wake or create an app, hibernate or delete another one, or ask the operator for a higher limit.',
      disk: 'Limit reached. New builds are refused. Delete an app, or ask the operator for more disk space.',
    },
    loadFailed: (message: string) => `Could not load the usage: ${message}`,
  },
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark', amber: 'Amber', system: 'System' },
  themeHint: 'Saved in this browser. System follows your device.',
  changePassword: 'Change Password',
  changing: 'Changing...',
  newPassword: 'New Password',
  confirmation: 'Confirm New Password',
  passwordMismatch: { title: 'Password mismatch', text: 'Passwords do not match' },
  passwordChanged: {
    title: 'Password changed',
    text: 'Your password has been updated successfully',
  },
  changeFailed: 'Failed to change password',
} as const;
