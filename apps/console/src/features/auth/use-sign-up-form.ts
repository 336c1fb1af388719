import { type FormEvent, useState } from 'react';
import { useSetupCode } from '../../client/console-environment.tsx';
import { useSignUp } from '../../client/use-auth.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { useSignInResult } from './use-sign-in-result.ts';

/** Email, the password twice, and for the first account a code. Nothing is sent while the two differ. Spec §5. */
export function useSignUpForm() {
  const { send, isBusy } = useSignUp();
  const toast = useToast();
  const show = useSignInResult({ success: MESSAGES.signedUp, failure: MESSAGES.signUpFailed });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const { isNeeded: needsSetupCode } = useSetupCode();
  const [setupCode, setSetupCode] = useState('');

  async function signUp(): Promise<void> {
    if (password !== confirmation) return toast({ tone: 'bad', ...MESSAGES.passwordMismatch });
    const code = needsSetupCode ? { setupCode: setupCode.trim() } : {};
    show(await send({ email: email.trim(), password, ...code }));
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void signUp();
  }

  return {
    email,
    setEmail,
    password,
    setPassword,
    confirmation,
    setConfirmation,
    needsSetupCode,
    setupCode,
    setSetupCode,
    isBusy,
    submit,
  };
}
