/** Texts of spec §2, Profile. */
export const MESSAGES = {
  title: 'Profile',
  description: 'Manage your account settings and preferences',
  nameFallback: 'User',
  localeFallback: 'Not specified',
  settings: 'Account Settings',
  changePassword: 'Change Password',
  unavailable: 'Changing the password is not available in this version yet',
} as const;
