import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MESSAGES } from './messages.ts';

type DeleteAppDialogProps = {
  name: string;
  isPublic: boolean;
  onClose(): void;
  /** Answers whether it worked; then this dialog goes with the page. */
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
      <p>{MESSAGES.deletion.goes(isPublic)}</p>
      <p>{MESSAGES.deletion.stays}</p>
    </ConfirmDialog>
  );
}
