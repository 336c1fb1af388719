import { ROUTES } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Field } from '../../ui/field.tsx';
import { PlaceLink } from '../../ui/place-link.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';

export function ForgotPasswordScreen() {
  const toast = useToast();
  const [email, setEmail] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    toast({
      tone: 'bad',
      ...(email.trim() === '' ? MESSAGES.emailMissing : MESSAGES.mailUnavailable),
    });
  }

  return (
    <AuthLayout title={MESSAGES.resetPassword.title} text={MESSAGES.resetPassword.text}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          autoFocus
          hint={MESSAGES.resetPassword.hint}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button kind="primary" type="submit">
          {MESSAGES.resetPassword.action}
        </Button>
        <PlaceLink to={ROUTES.login} className={buttonStyle('ghost', 'normal')}>
          {MESSAGES.backToLogin}
        </PlaceLink>
      </form>
    </AuthLayout>
  );
}
