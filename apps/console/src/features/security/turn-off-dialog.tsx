import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useAccountAction } from './use-account-action.ts';

const { authenticator: TEXTS } = MESSAGES;

type TurnOffDialogProps = { onClose(): void; onTurnedOff(): Promise<void> };

export function TurnOffDialog({ onClose, onTurnedOff }: TurnOffDialogProps) {
  const { account } = useServices();
  const deactivation = useAccountAction(account.deactivateTotp, TEXTS.turnedOff);
  const [code, setCode] = useState('');

  async function turnOff() {
    if (!(await deactivation.run(code.trim()))) return;
    await onTurnedOff();
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
      <CodeField value={code} acceptsRecoveryCode onChange={setCode} />
    </FormDialog>
  );
}
