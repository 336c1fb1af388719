import type { AuthState, SignInResult } from '@longshore/client';
import { Suspense, useState } from 'react';
import { useAuthState } from '../../client/use-auth.ts';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { FullPageSpinner } from '../../ui/full-page-spinner.tsx';
import { MESSAGES } from './messages.ts';
import { PasswordStep, usePasswordForm } from './password-step.tsx';
import { useSignInResult } from './use-sign-in-result.ts';

const CodeStep = lazyScreen(() => import('./code-step/code-step.tsx'), 'CodeStep');

/** States whose code step the user left. The client keeps such a state until the next sign-in. */
const abandoned = new WeakSet<AuthState>();

/** The password step, then the code step if the account has a second factor. A link or provider starts with the latter. */
export function LoginScreen() {
  const show = useSignInResult({ success: MESSAGES.signedIn, failure: MESSAGES.signInFailed });
  const auth = useAuthState();
  const [isRedirected] = useState(
    auth.kind === 'signed-out' && auth.needsMfa === true && !abandoned.has(auth),
  );
  const [step, setStep] = useState<'password' | 'code'>(isRedirected ? 'code' : 'password');

  const form = usePasswordForm(handleResult);

  function handleResult(result: SignInResult) {
    if (result.kind === 'needs-mfa') return setStep('code');
    show(result);
    // The server accepts one code for each first step. A request that did not reach it can be repeated.
    if (result.kind === 'failed' && result.error.status !== 0) setStep('password');
  }

  function leaveCodeStep() {
    abandoned.add(auth);
    setStep('password');
  }

  if (step === 'password') return <PasswordStep form={form} onResult={handleResult} />;
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <CodeStep isRedirected={isRedirected} onResult={handleResult} onBack={leaveCodeStep} />
    </Suspense>
  );
}
