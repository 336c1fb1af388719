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
import { useRecoveryCodeGeneration } from './use-recovery-code-generation.ts';

const { authenticator: TEXTS } = MESSAGES;

type SetUpDialogProps = {
  onClose(): void;
  /** The recovery codes are undefined if only they could not be created. */
  onTurnedOn(recoveryCodes: string[] | undefined): Promise<void>;
};

/** Shows the QR code. A valid code turns the authenticator app on and creates recovery codes. */
export function SetUpDialog({ onClose, onTurnedOn }: SetUpDialogProps) {
  const { account } = useServices();
  const { secret, problem } = useTotpSecret();
  const activation = useAccountAction(account.activateTotp, TEXTS.turnedOn);
  const generation = useRecoveryCodeGeneration();
  const [code, setCode] = useState('');

  async function activate() {
    const entered = code.trim();
    if (await activation.run(entered)) await onTurnedOn(await generation.run(entered));
  }

  return (
    <FormDialog
      title={TEXTS.title}
      description={TEXTS.scan}
      action={TEXTS.turnOn}
      isBusy={activation.isBusy || generation.isBusy}
      onClose={onClose}
      onSubmit={activate}
    >
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TotpSecretView secret={secret} />
      <CodeField value={code} onChange={setCode} />
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
