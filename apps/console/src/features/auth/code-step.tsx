import type { SignInResult } from '@longshore/client';
import { type FormEvent, useState } from 'react';
import { useSignInWithCode } from '../../client/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';

type CodeStepProps = { onResult(result: SignInResult): void; onBack(): void };

/** The step after the password for accounts with an authenticator app. */
export function CodeStep({ onResult, onBack }: CodeStepProps) {
  const { send, isBusy } = useSignInWithCode();
  const [code, setCode] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isBusy) void send(code.trim()).then(onResult);
  }

  return (
    <AuthLayout title={MESSAGES.code.title} text={MESSAGES.code.text}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label={MESSAGES.code.label}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {MESSAGES.signIn.action}
        </Button>
        <Button kind="ghost" onClick={onBack}>
          {MESSAGES.backToLogin}
        </Button>
      </form>
    </AuthLayout>
  );
}
