import type { SignInResult } from '@longshore/client';
import { ROUTES } from '@longshore/contract';
import { useSetupCode } from '../../client/console-environment.tsx';
import { useSignInWithSecurityKey } from '../../client/use-auth.ts';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MESSAGES } from './messages.ts';
import { TextLink } from './text-link.tsx';
import { usePasswordForm } from './use-password-form.ts';

const FirstStart = lazyScreen(() => import('./first-start.tsx'), 'FirstStart');

type PasswordStepProps = { onResult(result: SignInResult): void };

/** Spec §2, Login; and the passkey, for who has one. */
export function PasswordStep({ onResult }: PasswordStepProps) {
  const form = usePasswordForm(onResult);
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
