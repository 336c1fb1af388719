import type { SignInResult } from '@longshore/client';
import { type FormEvent, useState } from 'react';
import { useSignIn } from '../../client/use-auth.ts';

export function usePasswordForm(onResult: (result: SignInResult) => void) {
  const { send, isBusy } = useSignIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void send({ email: email.trim(), password }).then(onResult);
  }

  return { email, setEmail, password, setPassword, isBusy, submit };
}
