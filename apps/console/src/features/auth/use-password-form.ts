import { type FormEvent, useState } from 'react';
import type { SignInOutcome } from '../../backend/backend.ts';
import { useSignIn } from '../../backend/use-auth.ts';

export function usePasswordForm(onOutcome: (outcome: SignInOutcome) => void) {
  const { send, isBusy } = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void send({ email: email.trim(), password }).then(onOutcome);
  }

  return { email, setEmail, password, setPassword, isBusy, submit };
}
