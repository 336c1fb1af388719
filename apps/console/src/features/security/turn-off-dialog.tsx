import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import type { AuthenticatorDialogProps } from './set-up-dialog.tsx';
import { useAccountAction } from './use-account-action.ts';

const { authenticator: TEXTS } = MESSAGES;

export function TurnOffDialog({ onClose, onChanged }: AuthenticatorDialogProps) {
  const { account } = useServices();
  const deactivation = useAccountAction(account.deactivateTotp, TEXTS.turnedOff);
  const [code, setCode] = useState('');

  async function turnOff() {
    if (!(await deactivation.run(code.trim()))) return;
    await onChanged();
    onClose();
  }

  return (
    <FormDialog
      title={TEXTS.turnOff}
      description={TEXTS.turnOffText}
      action={TEXTS.turnOff}
      isBusy={deactivation.isBusy}
      onClose={onClose}
      onSubmit={turnOff}
    >
      <CodeField value={code} onChange={setCode} autoFocus />
    </FormDialog>
  );
}
