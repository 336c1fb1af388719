import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { SecretToScan } from './secret-to-scan.tsx';
import { useAccountAction } from './use-account-action.ts';
import { useTotpSecret } from './use-totp-secret.ts';

const { authenticator: TEXTS } = MESSAGES;

export type AuthenticatorDialogProps = { onClose(): void; onChanged(): Promise<void> };

/** Shows the picture to scan, and turns it on once a code proves that it was. */
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
      <SecretToScan secret={secret} />
      <CodeField value={code} onChange={setCode} autoFocus />
    </FormDialog>
  );
}
