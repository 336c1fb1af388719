import { type FormEvent, useState } from 'react';
import type { SignInOutcome } from '../../backend/backend.ts';
import { useSignInWithCode } from '../../backend/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';

type CodeStepProps = { onOutcome(outcome: SignInOutcome): void; onBack(): void };

/** The step after the password, for who turned an authenticator app on. */
export function CodeStep({ onOutcome, onBack }: CodeStepProps) {
  const { send, isBusy } = useSignInWithCode();
  const [code, setCode] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) onOutcome(await send(code.trim()));
  }

  return (
    <AuthLayout title={MESSAGES.code.title} text={MESSAGES.code.text}>
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
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
