import { clsx } from 'clsx';
import { Dialog as RadixDialog } from 'radix-ui';
import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import { buttonStyle } from './button-style.ts';
import { closeOnEscape, ignoreIfListOpen } from './close-on-escape.ts';
import { X } from './icons.tsx';
import { CLOSE } from './texts.ts';
import { DiscardQuestion, ReportEdits } from './unsaved-edits.tsx';
import { useDoubleClickGuard } from './use-double-click-guard.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { useReturnFocus } from './use-return-focus.ts';

type DialogProps = {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  description?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
};

/**
 * Traps and returns the focus, closes with Escape. With unsaved edits it asks before it closes. On small screens it slides
 * in from the bottom.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, onOpenChange, title, description, isWide = false, children } = props;
  const returnFocus = useReturnFocus();
  const guard = useDoubleClickGuard();
  const discard = useDiscardQuestion(() => onOpenChange(false));
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={discard.close}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/50" />
        <RadixDialog.Content
          onCloseAutoFocus={returnFocus}
          onFocusCapture={discard.noteFocus}
          {...guard}
          onEscapeKeyDown={(event) => {
            ignoreIfListOpen(event);
            if (!discard.isAsking) return;
            event.preventDefault();
            discard.keep();
          }}
          onKeyDown={closeOnEscape(discard.isAsking ? discard.keep : discard.close)}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={clsx(
            'fixed z-50 flex max-h-[92dvh] w-full animate-rise flex-col border-line bg-raised shadow-float',
            'inset-x-0 bottom-0 rounded-t-xl border-t sm:inset-x-auto sm:bottom-auto sm:rounded-box sm:border',
            'sm:top-1/2 sm:left-1/2 sm:max-h-[86dvh] sm:-translate-x-1/2 sm:-translate-y-1/2',
            isWide ? 'sm:max-w-2xl' : 'sm:max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-4 border-b border-line px-5 py-4">
            <div className="grid gap-0.5">
              <RadixDialog.Title className="text-base font-semibold">{title}</RadixDialog.Title>
              {description !== undefined && (
                <RadixDialog.Description className="text-muted">
                  {description}
                </RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close
              aria-label={CLOSE}
              className={buttonStyle('ghost', 'icon', '-mt-1 -mr-2')}
            >
              <X size={16} aria-hidden="true" />
            </RadixDialog.Close>
          </div>
          <ReportEdits value={discard.setEdits}>{children}</ReportEdits>
          {discard.isAsking && (
            <DiscardQuestion
              onKeep={discard.keep}
              onDismiss={discard.dismiss}
              onDiscard={discard.discard}
            />
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** `close` closes the dialog at once if it has no edits. */
function useDiscardQuestion(close: () => void) {
  const [hasEdits, setEdits] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const lastFocused = useRef<HTMLElement>(null);
  /** Continues with Back or Forward after the dialog was closed. */
  const leave = useRef<() => void>(undefined);

  function ask(afterwards?: () => void) {
    leave.current = afterwards;
    setAsking(true);
  }

  useLeaveGuard(hasEdits, ask);
  return {
    /** A press outside takes the focus away before it asks, so the field is noted earlier. */
    noteFocus({ target }: FocusEvent<HTMLElement>) {
      if (!isAsking) lastFocused.current = target;
    },
    setEdits,
    isAsking,
    close: () => (hasEdits ? ask() : close()),
    dismiss: () => setAsking(false),
    /** Returns the focus to the field. */
    keep() {
      setAsking(false);
      lastFocused.current?.focus();
    },
    discard() {
      close();
      leave.current?.();
    },
  };
}
