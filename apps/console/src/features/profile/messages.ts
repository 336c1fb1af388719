/** Texts of spec §2, Profile and Change Password dialog; toasts of §5 and §8. */
export const MESSAGES = {
  title: 'Profile',
  description: 'Manage your account settings and preferences',
  nameFallback: 'User',
  localeFallback: 'Not specified',
  loading: 'Loading your profile',
  settings: 'Account Settings',
  security: 'Security',
  appearance: 'Appearance',
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark', amber: 'Amber', system: 'System' },
  themeHint: 'Kept in this browser. System follows your device.',
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
