import { Suspense, useState } from 'react';
import type { SignInOutcome } from '../../backend/backend.ts';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { FullPageSpinner } from '../../ui/full-page-spinner.tsx';
import { MESSAGES } from './messages.ts';
import { PasswordStep } from './password-step.tsx';
import { useSignInOutcome } from './use-sign-in-outcome.ts';

const CodeStep = lazyScreen(() => import('./code-step.tsx'), 'CodeStep');

/** The password, and a code after it where the account asks for one. */
export function LoginScreen() {
  const show = useSignInOutcome({ success: MESSAGES.signedIn, failure: MESSAGES.signInFailed });
  const [step, setStep] = useState<'password' | 'code'>('password');

  function take(outcome: SignInOutcome) {
    if (outcome.kind === 'needs-code') setStep('code');
    else show(outcome);
  }

  if (step === 'password') return <PasswordStep onOutcome={take} />;
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <CodeStep onOutcome={take} onBack={() => setStep('password')} />
    </Suspense>
  );
}
