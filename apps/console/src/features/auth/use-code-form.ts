import { type FormEvent, useState } from 'react';
import type { SignInOutcome } from '../../backend/backend.ts';
import { useSignInWithCode } from '../../backend/use-auth.ts';

export function useCodeForm(onOutcome: (outcome: SignInOutcome) => void) {
  const { send, isBusy } = useSignInWithCode();
  const [code, setCode] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void send(code.trim()).then(onOutcome);
  }

  return { code, setCode, isBusy, submit };
}
