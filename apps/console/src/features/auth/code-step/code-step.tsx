import type { SignInResult } from '@longshore/client';
import { type FormEvent, useState } from 'react';
import { useSignInWithCode } from '../../../client/use-auth.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { MESSAGES } from '../messages.ts';
import { MESSAGES as TEXTS } from './messages.ts';

type CodeStepProps = {
  /** The user followed a link or came back from a provider. */
  isRedirected: boolean;
  onResult(result: SignInResult): void;
  onBack(): void;
};

type CodeKind = 'app' | 'recovery';

/** The server accepts both kinds in the same field; only the keyboard and the texts differ. */
const FIELDS = {
  app: { label: TEXTS.label, inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery: { label: TEXTS.recoveryLabel, autoComplete: 'off', autoCapitalize: 'characters' },
} as const;

/** The step after the password, a link or a provider, for accounts with an authenticator app. */
export function CodeStep({ isRedirected, onResult, onBack }: CodeStepProps) {
  const { send, isBusy } = useSignInWithCode();
  const [kind, setKind] = useState<CodeKind>('app');
  const [code, setCode] = useState('');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    void send(code.trim()).then((result) =>
      onResult(isRedirected ? withRetryHint(result) : result),
    );
  }

  function switchKind(): void {
    setKind(kind === 'app' ? 'recovery' : 'app');
    setCode('');
  }

  return (
    <AuthLayout title={TEXTS.title} text={kind === 'app' ? TEXTS.text : TEXTS.recoveryText}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Field
          // A new field gets the focus, and phones show its keyboard.
          key={kind}
          {...FIELDS[kind]}
          autoFocus
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {MESSAGES.signIn.action}
        </Button>
        <Button kind="ghost" onClick={switchKind}>
          {kind === 'app' ? TEXTS.useRecoveryCode : TEXTS.useApp}
        </Button>
        <Button kind="ghost" onClick={onBack}>
          {MESSAGES.backToLogin}
        </Button>
      </form>
    </AuthLayout>
  );
}

/** The code used up the ticket. There is no password to enter again, but the link is still valid. */
function withRetryHint(result: SignInResult): SignInResult {
  if (result.kind !== 'failed' || result.error.error !== 'invalid-totp') return result;
  return { ...result, error: { ...result.error, message: TEXTS.openLinkAgain } };
}
