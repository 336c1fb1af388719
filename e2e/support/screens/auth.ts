import { ROUTES } from '@longshore/contract';
import type { Screen } from './screen.ts';
import { press } from './steps.ts';

export const AUTH: Screen[] = [
  { name: 'login', user: 'signedOut', path: () => ROUTES.login },
  { name: 'signup', user: 'signedOut', path: () => ROUTES.signup },
  {
    name: 'verify-email',
    user: 'signedOut',
    path: () => ROUTES.verifyEmail,
    open: press('Resend'),
  },
  { name: 'forgot-password', user: 'signedOut', path: () => ROUTES.forgotPassword },
  {
    name: 'toast',
    user: 'signedOut',
    path: () => ROUTES.forgotPassword,
    async open(page) {
      await press('Send Reset Link')(page);
      await page.getByText('Please enter your email address').first().waitFor();
    },
  },
  { name: 'unknown', user: 'signedOut', path: () => '/nowhere' },
];
