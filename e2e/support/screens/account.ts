import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press, waitForText } from './steps.ts';

export const ACCOUNT: Screen[] = [
  { name: 'profile', user: 'owner', path: () => ROUTES.profile },
  { name: 'change-password', user: 'owner', path: () => ROUTES.newPassword },
  {
    name: 'security',
    user: 'owner',
    path: () => ROUTES.security,
    open: waitForText('This browser'),
  },
  { name: 'passkey', user: 'owner', path: () => ROUTES.security, open: press('Add passkey') },
  {
    name: 'authenticator',
    user: 'owner',
    path: () => ROUTES.security,
    async open(page) {
      await press('Set up')(page);
      await page.getByAltText('QR code for your authenticator app').waitFor();
    },
  },
  { name: 'token', user: 'owner', path: () => ROUTES.security, open: press('Create token') },
];
