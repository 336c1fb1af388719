import { clsx } from 'clsx';
import { Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { buttonStyle } from './button-style.ts';

export type MenuChoice = { label: string; icon: ReactNode; isDanger?: boolean; onChoose(): void };

type MenuProps = { label: string; choices: MenuChoice[] };

/** The quiet "more" button of a card. What it opens lies above the page, and still belongs to its content. */
export function Menu({ label, choices }: MenuProps) {
  const [content, setContent] = useState<HTMLElement | null>(null);
  return (
    <DropdownMenu.Root
      modal={false}
      onOpenChange={() => setContent(document.querySelector('main'))}
    >
      <DropdownMenu.Trigger aria-label={label} className={buttonStyle('ghost', 'icon')}>
        <Ellipsis size={16} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={content}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-40 animate-fade rounded-box border border-line bg-raised p-1 shadow-float"
        >
          {choices.map(({ label: text, icon, isDanger = false, onChoose }) => (
            <DropdownMenu.Item
              key={text}
              onSelect={onChoose}
              className={clsx(
                'flex h-8 items-center gap-2 rounded-md px-2 outline-none data-highlighted:bg-hover pointer-coarse:h-10',
                isDanger && 'text-bad',
              )}
            >
              {icon}
              {text}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
