import { ROUTES } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Field } from '../../ui/field.tsx';
import { PlaceLink } from '../../ui/place-link.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';

/** The first press of the button reveals the email input, the second sends. Spec §2. */
export function VerifyEmailScreen() {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const [email, setEmail] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isAsking) setAsking(true);
    else if (email.trim() === '') toast({ tone: 'bad', ...MESSAGES.emailMissing });
    else toast({ tone: 'bad', ...MESSAGES.mailUnavailable });
  }

  return (
    <AuthLayout title={MESSAGES.verifyEmail.title} text={MESSAGES.verifyEmail.text}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        {isAsking && (
          <Field
            label="Email"
            type="email"
            autoComplete="email"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
        <Button kind={isAsking ? 'primary' : 'secondary'} type="submit">
          {isAsking ? MESSAGES.verifyEmail.send : MESSAGES.verifyEmail.resend}
        </Button>
        <PlaceLink to={ROUTES.login} className={buttonStyle('ghost', 'normal')}>
          {MESSAGES.backToLogin}
        </PlaceLink>
      </form>
    </AuthLayout>
  );
}
