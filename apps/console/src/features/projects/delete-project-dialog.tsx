import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

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
      title={`Delete ${name}?`}
      confirmLabel="Delete"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>The project disappears from your list. It holds no applications.</p>
    </ConfirmDialog>
  );
}
