import { Tooltip as RadixTooltip } from 'radix-ui';
import { type ReactNode, useState } from 'react';

type TooltipProps = { text: string | undefined; children: ReactNode };

/** Stays closed without a text. The child is rendered the same way in both cases, so it keeps its focus. */
export function Tooltip({ text, children }: TooltipProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <RadixTooltip.Root open={isOpen && text !== undefined} onOpenChange={setOpen}>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-fade rounded bg-text px-2 py-1 text-xs text-page shadow-float"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

const DELAY_MS = 250;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <RadixTooltip.Provider delayDuration={DELAY_MS}>{children}</RadixTooltip.Provider>;
}
