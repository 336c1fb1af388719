import { type FormEvent, useState } from 'react';
import { useVerificationMail } from '../../client/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { BackToLogin } from './back-to-login.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { useMailRequest } from './use-mail-request.ts';

/** The first click on the button shows the email input, the second sends the email (spec-map 2.5). */
export function VerifyEmailScreen() {
  const mail = useMailRequest(useVerificationMail(), MESSAGES.verificationSent);
  const [isEmailShown, setEmailShown] = useState(false);

  function showEmailField(event: FormEvent) {
    event.preventDefault();
    setEmailShown(true);
  }

  return (
    <AuthLayout title={MESSAGES.verifyEmail.title} text={MESSAGES.verifyEmail.text}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={isEmailShown ? mail.submit : showEmailField}
      >
        {isEmailShown && <EmailField value={mail.email} onChange={mail.setEmail} />}
        <Button kind={isEmailShown ? 'primary' : 'secondary'} type="submit" isBusy={mail.isBusy}>
          {MESSAGES.verifyEmail.resend}
        </Button>
        <BackToLogin />
      </form>
    </AuthLayout>
  );
}
