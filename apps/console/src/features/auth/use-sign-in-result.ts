import type { SignInResult } from '@longshore/client';
import { ROUTES } from '@longshore/contract';
import { usePageLocation } from '../../lib/page-location.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Texts = { success: { title: string; text: string }; failure: string };

/** Sign-in and sign-up have the same outcomes (spec-map 2.4.3). The gate opens the dashboard for signed-in users. */
export function useSignInResult({ success, failure }: Texts): (result: SignInResult) => void {
  const location = usePageLocation();
  const toast = useToast();
  return (result) => {
    switch (result.kind) {
      case 'signed-in':
        toast(success);
        return;
      case 'needs-email-verification':
        toast(MESSAGES.needsVerification);
        location.navigate(ROUTES.verifyEmail);
        return;
      // The login screen shows its code step; a new account has no second factor.
      case 'needs-mfa':
        return;
      case 'needs-otp':
        toast({ tone: 'bad', title: failure, text: MESSAGES.otpNeeded });
        return;
      case 'failed':
        toast({ tone: 'bad', title: failure, text: result.error.message });
    }
  };
}
