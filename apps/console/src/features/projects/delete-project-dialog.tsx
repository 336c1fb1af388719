import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { MESSAGES } from './messages.ts';

type DeleteProjectDialogProps = { name: string; onClose(): void; onDelete(): Promise<boolean> };

export function DeleteProjectDialog({ name, onClose, onDelete }: DeleteProjectDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await onDelete();
    setBusy(false);
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={MESSAGES.deletion.title(name)}
      confirmLabel={MESSAGES.menu.delete}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>{MESSAGES.deletion.text}</p>
    </ConfirmDialog>
  );
}
