import { ROUTES } from '@longshore/contract';
import { useAuth } from '../../lib/backend-context.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Field } from '../../ui/field.tsx';
import { PlaceLink } from '../../ui/place-link.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { MESSAGES } from './messages.ts';
import { useMailRequest } from './use-mail-request.ts';

export function ForgotPasswordScreen() {
  const { sendResetLink } = useAuth();
  const mail = useMailRequest(sendResetLink, MESSAGES.resetSent);

  return (
    <AuthLayout title={MESSAGES.resetPassword.title} text={MESSAGES.resetPassword.text}>
      <form className="grid gap-4" noValidate onSubmit={mail.submit}>
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          autoFocus
          hint={MESSAGES.resetPassword.hint}
          value={mail.email}
          onChange={(event) => mail.setEmail(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={mail.isBusy}>
          {MESSAGES.resetPassword.action}
        </Button>
        <PlaceLink to={ROUTES.login} className={buttonStyle('ghost', 'normal')}>
          {MESSAGES.backToLogin}
        </PlaceLink>
      </form>
    </AuthLayout>
  );
}
