import { useResetMail } from '../../client/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { BackToLogin } from './back-to-login.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { useMailRequest } from './use-mail-request.ts';

export function ForgotPasswordScreen() {
  const mail = useMailRequest(useResetMail(), MESSAGES.resetSent);

  return (
    <AuthLayout title={MESSAGES.resetPassword.title} text={MESSAGES.resetPassword.text}>
      <form className="grid gap-4" noValidate onSubmit={mail.submit}>
        <EmailField
          value={mail.email}
          onChange={mail.setEmail}
          hint={MESSAGES.resetPassword.hint}
        />
        <Button kind="primary" type="submit" isBusy={mail.isBusy}>
          {MESSAGES.resetPassword.action}
        </Button>
        <BackToLogin />
      </form>
    </AuthLayout>
  );
}
