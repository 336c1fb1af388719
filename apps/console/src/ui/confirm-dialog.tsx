import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { closeOnEscape } from './close-on-escape.ts';
import { DialogFooter } from './dialog-footer.tsx';
import { CANCEL } from './texts.ts';
import { useReturnFocus } from './use-return-focus.ts';

type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** For actions that can be undone. */
  isHarmless?: boolean;
  isBusy: boolean;
  onConfirm(): void;
};

/** Asks for confirmation. The children describe what the action affects. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, children, isHarmless = false, isBusy } = props;
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/50" />
        <AlertDialog.Content
          onCloseAutoFocus={returnFocus}
          onKeyDown={closeOnEscape(() => onOpenChange(false))}
          className="fixed inset-x-0 bottom-0 z-50 animate-rise rounded-t-xl border border-line bg-raised shadow-float sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-box"
        >
          <div className="grid gap-2 p-5">
            <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="grid gap-2 text-muted">{children}</div>
            </AlertDialog.Description>
          </div>
          <DialogFooter>
            <AlertDialog.Cancel asChild>
              <Button>{CANCEL}</Button>
            </AlertDialog.Cancel>
            <Button
              kind={isHarmless ? 'primary' : 'destroy'}
              isBusy={isBusy}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </DialogFooter>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
