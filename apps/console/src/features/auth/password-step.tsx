import { ROUTES } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import type { SignInOutcome } from '../../backend/backend.ts';
import { useSignIn, useSignInWithSecurityKey } from '../../backend/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';

type PasswordStepProps = { onOutcome(outcome: SignInOutcome): void };

/** Spec §2, Login; and the passkey, for who has one. */
export function PasswordStep({ onOutcome }: PasswordStepProps) {
  const { send, isBusy } = useSignIn();
  const key = useSignInWithSecurityKey();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    onOutcome(await send({ email: email.trim(), password }));
  }

  return (
    <AuthLayout
      title={MESSAGES.signIn.title}
      footer={
        <>
          {MESSAGES.signIn.newHere}{' '}
          <TextLink to={ROUTES.signup}>{MESSAGES.signIn.toSignUp}</TextLink>
        </>
      }
    >
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <EmailField value={email} onChange={setEmail} />
        <Field
          label={MESSAGES.password}
          type="password"
          autoComplete="current-password"
          aside={<TextLink to={ROUTES.forgotPassword}>{MESSAGES.signIn.forgot}</TextLink>}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy} className="mt-2">
          {MESSAGES.signIn.action}
        </Button>
        {'PublicKeyCredential' in window && (
          <Button isBusy={key.isBusy} onClick={() => void key.send().then(onOutcome)}>
            {MESSAGES.signIn.withKey}
          </Button>
        )}
      </form>
    </AuthLayout>
  );
}
