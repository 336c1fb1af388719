import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MESSAGES } from './messages.ts';

type DeleteAppDialogProps = {
  name: string;
  isPublic: boolean;
  onClose(): void;
  /** Returns whether it succeeded. Then the page closes, and the dialog with it. */
  onDelete(): Promise<boolean>;
};

export function DeleteAppDialog({ name, isPublic, onClose, onDelete }: DeleteAppDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    if (!(await onDelete())) onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={MESSAGES.deletion.title(name)}
      confirmLabel={MESSAGES.delete}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>{MESSAGES.deletion.text(isPublic)}</p>
      <p>{MESSAGES.deletion.repository}</p>
    </ConfirmDialog>
  );
}
