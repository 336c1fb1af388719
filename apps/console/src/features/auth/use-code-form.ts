import type { SignInResult } from '@longshore/client';
import { type FormEvent, useState } from 'react';
import { useSignInWithCode } from '../../client/use-auth.ts';

export function useCodeForm(onResult: (result: SignInResult) => void) {
  const { send, isBusy } = useSignInWithCode();
  const [code, setCode] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void send(code.trim()).then(onResult);
  }

  return { code, setCode, isBusy, submit };
}
