import { ROUTES } from '@longshore/contract';
import type { SignInOutcome } from '../../backend/backend.ts';
import { usePageLocation } from '../../lib/page-location.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

type Words = { success: { title: string; text: string }; failure: string };

/**
 * Sign-in and sign-up have the same outcomes. Spec §2. The dashboard takes the place of the form in the
 * history: Back would only lead to a page that is not for signed-in people.
 */
export function useSignInOutcome({ success, failure }: Words): (outcome: SignInOutcome) => void {
  const location = usePageLocation();
  const toast = useToast();
  return (outcome) => {
    switch (outcome.kind) {
      case 'signed-in':
        toast(success);
        location.navigate(ROUTES.dashboard, { replace: true });
        return;
      case 'needs-email-verification':
        toast(MESSAGES.needsVerification);
        location.navigate(ROUTES.verifyEmail);
        return;
      // A step of the login screen; nobody has a second factor before they sign up.
      case 'needs-code':
        return;
      case 'failed':
        toast({ tone: 'bad', title: failure, text: outcome.message });
    }
  };
}
