import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

type RemovalDialogProps = {
  title: string;
  text: string;
  confirmLabel: string;
  isBusy: boolean;
  onClose(): void;
  onConfirm(): void;
};

export function RemovalDialog({ text, onClose, ...rest }: RemovalDialogProps) {
  return (
    <ConfirmDialog isOpen onOpenChange={onClose} {...rest}>
      <p>{text}</p>
    </ConfirmDialog>
  );
}
