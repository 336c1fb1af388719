import { clsx } from 'clsx';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonStyle } from './button-style.ts';
import { X } from './icons.tsx';
import { CLOSE } from './texts.ts';
import { useDoubleClickGuard } from './use-double-click-guard.ts';
import { useReturnFocus } from './use-return-focus.ts';

export type SheetSide = 'top' | 'bottom' | 'left' | 'right';

const SIDES: Record<SheetSide, string> = {
  top: 'inset-x-0 top-0 max-h-[86dvh] border-b [--slide-y:-100%]',
  bottom: 'inset-x-0 bottom-0 max-h-[86dvh] border-t [--slide-y:100%]',
  left: 'inset-y-0 left-0 border-r [--slide-x:-100%]',
  right: 'inset-y-0 right-0 border-l [--slide-x:100%]',
};

type SheetProps = {
  onClose(): void;
  title: ReactNode;
  closeLabel?: string;
  side?: SheetSide;
  /** Hidden on wide screens, which show the content elsewhere. */
  isForSmallScreens?: boolean;
  className?: string;
  children: ReactNode;
};

/** Slides in from one side, by default from the right (spec-map 9.3.19). */
export function Sheet(props: SheetProps) {
  const { onClose, title, closeLabel = CLOSE, side = 'right', className, children } = props;
  const returnFocus = useReturnFocus();
  const guard = useDoubleClickGuard();
  const visibility = props.isForSmallScreens && 'md:hidden';
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay
          className={clsx('fixed inset-0 z-40 animate-fade bg-black/50', visibility)}
        />
        <Dialog.Content
          data-side={side}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          {...guard}
          className={clsx(
            'fixed z-50 flex animate-slide flex-col border-line bg-raised shadow-float',
            SIDES[side],
            visibility,
            className,
          )}
        >
          <div className="flex items-center justify-between gap-3 p-4">
            <Dialog.Title className="flex min-w-0 items-center gap-2 text-base font-semibold">
              {title}
            </Dialog.Title>
            <Dialog.Close aria-label={closeLabel} className={buttonStyle('ghost', 'icon', '-mr-1')}>
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
