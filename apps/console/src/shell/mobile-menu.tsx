import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { buttonStyle } from '../ui/button-style.ts';
import { Logo } from '../ui/logo.tsx';
import { MESSAGES } from './messages.ts';
import { NavigationLinks } from './navigation-links.tsx';

/** Slides out from the left, 64 units wide, and closes after a choice. Spec §2. */
export function MobileMenu() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label="Menu" className={buttonStyle('ghost', 'icon', 'md:hidden')}>
        <Menu size={18} aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/50 md:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-64 animate-slide flex-col gap-4 border-r border-line bg-raised p-4 shadow-float md:hidden"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="flex items-center gap-2 text-base font-semibold">
              <Logo />
              Longshore
            </Dialog.Title>
            <Dialog.Close aria-label="Close menu" className={buttonStyle('ghost', 'icon')}>
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <NavigationLinks isStacked onChoose={() => setOpen(false)} />
          <div className="mt-auto rounded-box border border-line bg-surface p-3">
            <p className="text-xs text-faint">{MESSAGES.cloudStatus.title}</p>
            <p className="mt-0.5 flex items-center gap-2 font-medium">
              <span aria-hidden="true" className="size-2 rounded-full bg-ok" />
              {MESSAGES.cloudStatus.text}
            </p>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
