import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press, shown } from './ways.ts';

export const ACCOUNT: Screen[] = [
  { name: 'profile', who: 'owner', path: () => ROUTES.profile },
  { name: 'change-password', who: 'owner', path: () => ROUTES.newPassword },
  { name: 'security', who: 'owner', path: () => ROUTES.security, open: shown('This browser') },
  { name: 'passkey', who: 'owner', path: () => ROUTES.security, open: press('Add passkey') },
  {
    name: 'authenticator',
    who: 'owner',
    path: () => ROUTES.security,
    async open(page) {
      await press('Set up')(page);
      await page.getByAltText('QR code for your authenticator app').waitFor();
    },
  },
  { name: 'token', who: 'owner', path: () => ROUTES.security, open: press('Create token') },
];
