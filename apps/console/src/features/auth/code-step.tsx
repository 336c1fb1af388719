import type { SignInResult } from '@longshore/client';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';
import { useCodeForm } from './use-code-form.ts';

type CodeStepProps = { onResult(result: SignInResult): void; onBack(): void };

/** The step after the password, for who turned an authenticator app on. */
export function CodeStep({ onResult, onBack }: CodeStepProps) {
  const form = useCodeForm(onResult);
  return (
    <AuthLayout title={MESSAGES.code.title} text={MESSAGES.code.text}>
      <form className="grid gap-4" noValidate onSubmit={form.submit}>
        <Field
          label={MESSAGES.code.label}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={form.code}
          onChange={(event) => form.setCode(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {MESSAGES.signIn.action}
        </Button>
        <Button kind="ghost" onClick={onBack}>
          {MESSAGES.backToLogin}
        </Button>
      </form>
    </AuthLayout>
  );
}
