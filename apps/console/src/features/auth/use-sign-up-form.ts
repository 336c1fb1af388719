import { type FormEvent, useState } from 'react';
import { useSetupCode } from '../../client/console-environment.tsx';
import { useSignUp } from '../../client/use-auth.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import type { InvitationLink } from './sign-up/invitation.ts';
import { useSignInResult } from './use-sign-in-result.ts';

/** Email, password with confirmation, and the set-up code of the first account (spec-map 5.2.1). */
export function useSignUpForm(invitation: InvitationLink | undefined) {
  const { send, isBusy } = useSignUp();
  const toast = useToast();
  const show = useSignInResult({ success: MESSAGES.signedUp, failure: MESSAGES.signUpFailed });
  const [email, setEmail] = useState(invitation?.email ?? '');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const { isNeeded: needsSetupCode } = useSetupCode();
  const [setupCode, setSetupCode] = useState('');

  async function signUp(): Promise<void> {
    if (password !== confirmation) return toast({ tone: 'bad', ...MESSAGES.passwordMismatch });
    const setupCodeField = needsSetupCode ? { setupCode: setupCode.trim() } : {};
    const invitationField = invitation && { invitation: invitation.token };
    show(await send({ email: email.trim(), password, ...setupCodeField, ...invitationField }));
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
