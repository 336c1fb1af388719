import { ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { invitationOf, signUpView } from './sign-up/invitation.ts';
import { TextLink } from './text-link.tsx';
import { useSignUpForm } from './use-sign-up-form.ts';

export function SignupScreen() {
  const [invitation] = useState(() => invitationOf(window.location.hash));
  const form = useSignUpForm(invitation);
  const { text, hasForm } = signUpView(useConfig().signUp, invitation !== undefined);
  return (
    <AuthLayout
      title={MESSAGES.signUp.title}
      text={text}
      footer={
        <>
          {MESSAGES.signUp.hasAccount}{' '}
          <TextLink to={ROUTES.login}>{MESSAGES.signUp.toSignIn}</TextLink>
        </>
      }
    >
      {hasForm && (
        <form className="grid gap-4" noValidate onSubmit={form.submit}>
          <EmailField
            value={form.email}
            onChange={form.setEmail}
            readOnly={invitation !== undefined}
          />
          <NewPasswordField
            label={MESSAGES.password}
            value={form.password}
            onChange={form.setPassword}
          />
          <Field
            label={MESSAGES.confirmation}
            type="password"
            autoComplete="new-password"
            value={form.confirmation}
            onChange={(event) => form.setConfirmation(event.target.value)}
          />
          {form.needsSetupCode && (
            <Field
              label={MESSAGES.setupCode.label}
              hint={MESSAGES.setupCode.hint}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={form.setupCode}
              onChange={(event) => form.setSetupCode(event.target.value)}
            />
          )}
          <Button kind="primary" type="submit" isBusy={form.isBusy} className="mt-2">
            {MESSAGES.signUp.action}
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}
