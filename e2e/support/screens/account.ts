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
  {
    name: 'recovery-codes',
    user: 'owner',
    path: () => ROUTES.security,
    async open(page) {
      // The app stays off: the server does not get these requests.
      await page.route('**/user/mfa', (route) => route.fulfill({ json: 'OK' }));
      const recoveryCodes = Array.from({ length: 10 }, (_, at) => `WMWM-WMWM-WMW${at}`);
      await page.route('**/recovery-codes/generate', (route) =>
        route.fulfill({ json: { recoveryCodes } }),
      );
      await press('Set up')(page);
      await page.getByLabel('Code').fill('123456');
      await press('Turn on')(page);
      await waitForText('I have saved these codes')(page);
    },
  },
  { name: 'token', user: 'owner', path: () => ROUTES.security, open: press('Create token') },
];
