import type { AppValues } from '@longshore/contract';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { deletionText } from './model/deletion.ts';

type DeleteAppDialogProps = {
  values: AppValues;
  onClose(): void;
  /** Returns whether it succeeded. Then the page closes, and the dialog with it. */
  onDelete(): Promise<boolean>;
};

export function DeleteAppDialog({ values, onClose, onDelete }: DeleteAppDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    if (!(await onDelete())) onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={MESSAGES.deletion.title(values.name)}
      confirmLabel={MESSAGES.delete}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>{deletionText(values)}</p>
    </ConfirmDialog>
  );
}
