import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { CANCEL } from '../../ui/texts.ts';

type FormDialogProps = {
  title: string;
  description?: string;
  action: string;
  isBusy: boolean;
  onClose(): void;
  onSubmit(): Promise<void>;
  children: ReactNode;
};

/** A small form in a dialog; Enter or the button submits it. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, isBusy, onClose, onSubmit, children } = props;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) void onSubmit();
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      {...(description === undefined ? {} : { description })}
    >
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="grid gap-4 overflow-y-auto p-5">{children}</div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
