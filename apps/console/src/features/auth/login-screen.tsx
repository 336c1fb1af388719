import type { SignInResult } from '@longshore/client';
import { Suspense, useState } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { FullPageSpinner } from '../../ui/full-page-spinner.tsx';
import { MESSAGES } from './messages.ts';
import { PasswordStep, usePasswordForm } from './password-step.tsx';
import { useSignInResult } from './use-sign-in-result.ts';

const CodeStep = lazyScreen(() => import('./code-step/code-step.tsx'), 'CodeStep');

/** The password step, then the code step if the account has a second factor. */
export function LoginScreen() {
  const show = useSignInResult({ success: MESSAGES.signedIn, failure: MESSAGES.signInFailed });
  const [step, setStep] = useState<'password' | 'code'>('password');

  const form = usePasswordForm(handleResult);

  function handleResult(result: SignInResult) {
    if (result.kind === 'needs-mfa') return setStep('code');
    show(result);
    // The server accepts one code for each password sign-in. A request that did not reach it can be repeated.
    if (result.kind === 'failed' && result.error.status !== 0) setStep('password');
  }

  if (step === 'password') return <PasswordStep form={form} onResult={handleResult} />;
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <CodeStep onResult={handleResult} onBack={() => setStep('password')} />
    </Suspense>
  );
}
