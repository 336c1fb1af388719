import type { TotpSecret } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useAccount } from '../../backend/live-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useAct } from './use-act.ts';

const { authenticator: TEXTS } = MESSAGES;

export type AuthenticatorDialogProps = { onClose(): void; onChanged(): Promise<void> };

/** Shows the picture to scan, and turns it on once a code proves that it was. */
export function SetUpDialog({ onClose, onChanged }: AuthenticatorDialogProps) {
  const { generateTotp, activateTotp } = useAccount();
  const activation = useAct(activateTotp, TEXTS.turnedOn);
  const [secret, setSecret] = useState<TotpSecret>();
  const [problem, setProblem] = useState<string>();
  const [code, setCode] = useState('');

  useEffect(() => {
    let isLeft = false;
    void generateTotp().then((answer) => {
      if (isLeft) return;
      if (answer.ok) setSecret(answer.value);
      else setProblem(answer.message);
    });
    return () => {
      isLeft = true;
    };
  }, [generateTotp]);

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
      <SecretToScan secret={secret} />
      <CodeField value={code} onChange={setCode} autoFocus />
    </FormDialog>
  );
}

function SecretToScan({ secret }: { secret: TotpSecret | undefined }) {
  if (secret === undefined) return <Skeleton className="mx-auto size-48" />;
  return (
    <div className="grid justify-items-center gap-3">
      {/* Scanners want dark on light, whatever the theme. */}
      <img
        src={secret.imageUrl}
        alt={TEXTS.picture}
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
