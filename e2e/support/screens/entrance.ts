import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press } from './ways.ts';

export const ENTRANCE: Screen[] = [
  { name: 'login', who: 'nobody', path: () => ROUTES.login },
  { name: 'signup', who: 'nobody', path: () => ROUTES.signup },
  { name: 'verify-email', who: 'nobody', path: () => ROUTES.verifyEmail, open: press('Resend') },
  { name: 'forgot-password', who: 'nobody', path: () => ROUTES.forgotPassword },
  {
    name: 'toast',
    who: 'nobody',
    path: () => ROUTES.forgotPassword,
    async open(page) {
      await press('Send Reset Link')(page);
      await page.getByText('Please enter your email address').first().waitFor();
    },
  },
  { name: 'unknown', who: 'nobody', path: () => '/nowhere' },
];
