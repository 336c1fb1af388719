import type { SignInResult } from '@longshore/client';
import { ROUTES } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { useSetupCode } from '../../client/console-environment.tsx';
import { useSignIn, useSignInWithSecurityKey } from '../../client/use-auth.ts';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';

const FirstStart = lazyScreen(() => import('./first-start.tsx'), 'FirstStart');

type PasswordStepProps = {
  form: ReturnType<typeof usePasswordForm>;
  onResult(result: SignInResult): void;
};

/** Email and password (spec-map 2.3), or a passkey. */
export function PasswordStep({ form, onResult }: PasswordStepProps) {
  const key = useSignInWithSecurityKey();
  const isFirstStart = useSetupCode().isNeeded;
  return (
    <AuthLayout
      title={MESSAGES.signIn.title}
      text={isFirstStart ? <FirstStart /> : undefined}
      footer={
        <>
          {MESSAGES.signIn.newHere}{' '}
          <TextLink to={ROUTES.signup}>{MESSAGES.signIn.toSignUp}</TextLink>
        </>
      }
    >
      <form className="grid gap-4" noValidate onSubmit={form.submit}>
        <EmailField value={form.email} onChange={form.setEmail} />
        <Field
          label={MESSAGES.password}
          type="password"
          autoComplete="current-password"
          aside={<TextLink to={ROUTES.forgotPassword}>{MESSAGES.signIn.forgot}</TextLink>}
          value={form.password}
          onChange={(event) => form.setPassword(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={form.isBusy} className="mt-2">
          {MESSAGES.signIn.action}
        </Button>
        {'PublicKeyCredential' in window && (
          <Button isBusy={key.isBusy} onClick={() => void key.send().then(onResult)}>
            {MESSAGES.signIn.withKey}
          </Button>
        )}
      </form>
    </AuthLayout>
  );
}

/** The entered values survive the code step. */
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
