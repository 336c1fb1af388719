import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

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
      title={`Delete ${name}?`}
      confirmLabel="Delete"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>
        The application stops at once. Its builds
        {isPublic ? ', its logs and its public address' : ' and its logs'} go with it.
      </p>
      <p>Your repository is not touched.</p>
    </ConfirmDialog>
  );
}
