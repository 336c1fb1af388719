import { ROUTES } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { useSignUp } from '../../backend/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';
import { useSignInOutcome } from './use-sign-in-outcome.ts';

export function SignupScreen() {
  const { send, isBusy } = useSignUp();
  const toast = useToast();
  const show = useSignInOutcome({ success: MESSAGES.signedUp, failure: MESSAGES.signUpFailed });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (password !== confirmation) {
      toast({ tone: 'bad', ...MESSAGES.passwordMismatch });
      return;
    }
    show(await send({ email: email.trim(), password }));
  }

  return (
    <AuthLayout
      title={MESSAGES.signUp.title}
      footer={
        <>
          {MESSAGES.signUp.hasAccount}{' '}
          <TextLink to={ROUTES.login}>{MESSAGES.signUp.toSignIn}</TextLink>
        </>
      }
    >
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <EmailField value={email} onChange={setEmail} />
        <NewPasswordField label={MESSAGES.password} value={password} onChange={setPassword} />
        <Field
          label={MESSAGES.confirmation}
          type="password"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy} className="mt-2">
          {MESSAGES.signUp.action}
        </Button>
      </form>
    </AuthLayout>
  );
}
