import type { TotpSecret } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useAccountAction } from './use-account-action.ts';

const { authenticator: TEXTS } = MESSAGES;

export type AuthenticatorDialogProps = { onClose(): void; onChanged(): Promise<void> };

/** Shows the QR code, and turns the authenticator app on when the user enters a valid code. */
export function SetUpDialog({ onClose, onChanged }: AuthenticatorDialogProps) {
  const { account } = useServices();
  const { secret, problem } = useTotpSecret();
  const activation = useAccountAction(account.activateTotp, TEXTS.turnedOn);
  const [code, setCode] = useState('');

  async function activate() {
    if (!(await activation.run(code.trim()))) return;
    await onChanged();
    onClose();
  }

  return (
    <FormDialog
      title={TEXTS.title}
      description={TEXTS.scan}
      action={TEXTS.turnOn}
      isBusy={activation.isBusy}
      onClose={onClose}
      onSubmit={activate}
    >
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TotpSecretView secret={secret} />
      <CodeField value={code} onChange={setCode} autoFocus />
    </FormDialog>
  );
}

/** A new secret for each time the dialog opens. */
function useTotpSecret() {
  const { account } = useServices();
  const [secret, setSecret] = useState<TotpSecret>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isClosed = false;
    void account.generateTotp().then((result) => {
      if (isClosed) return;
      if (result.ok) setSecret(result.data);
      else setProblem(errorText(result.error) || MESSAGES.noReason);
    });
    return () => {
      isClosed = true;
    };
  }, [account]);

  return { secret, problem };
}

/** The secret as a QR code and as a key to type. */
function TotpSecretView({ secret }: { secret: TotpSecret | undefined }) {
  if (secret === undefined) return <Skeleton className="mx-auto size-48" />;
  return (
    <div className="grid justify-items-center gap-3">
      {/* QR code scanners need dark on light in every theme. */}
      <img
        src={secret.imageUrl}
        alt={TEXTS.qrCode}
        width={192}
        height={192}
        className="size-48 rounded-box border border-line bg-white p-2"
      />
      <div className="flex max-w-full items-center gap-1">
        <code className="font-mono text-[0.8125rem] break-all">{secret.totpSecret}</code>
        <CopyButton text={secret.totpSecret} label={TEXTS.copyKey} />
      </div>
    </div>
  );
}
