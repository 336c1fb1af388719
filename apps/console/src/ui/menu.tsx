import { clsx } from 'clsx';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { buttonStyle } from './button-style.ts';
import { ChevronRight, Ellipsis } from './icons.tsx';

type MenuAction = { label: string; icon?: ReactNode; isDanger?: boolean; onChoose(): void };
/** Opens after 100 ms of hovering (spec-map 9.1.16), which is the default of Radix. */
type Submenu = { label: string; icon?: ReactNode; choices: MenuAction[] };
export type MenuChoice = MenuAction | Submenu;

type MenuProps = { label: string; icon?: ReactNode; choices: MenuChoice[] };

const PANEL =
  'z-50 min-w-32 max-w-[min(18rem,var(--radix-dropdown-menu-content-available-width))] animate-fade rounded-box border border-line bg-raised p-1 shadow-float';
const ROW =
  'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 outline-none data-highlighted:bg-hover data-[state=open]:bg-hover pointer-coarse:min-h-10';

/** The "more" button of a card, or a button with another icon. Its menu is rendered inside `main`, so that it belongs to the page's content. */
export function Menu({ label, icon, choices }: MenuProps) {
  const [content, setContent] = useState<HTMLElement | null>(null);
  return (
    <DropdownMenu.Root
      modal={false}
      onOpenChange={() => setContent(document.querySelector('main'))}
    >
      <DropdownMenu.Trigger aria-label={label} className={buttonStyle('ghost', 'icon')}>
        {icon ?? <Ellipsis size={16} aria-hidden="true" />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={content}>
        <DropdownMenu.Content align="end" sideOffset={4} className={PANEL}>
          {choices.map((choice) =>
            'choices' in choice ? (
              <SubmenuRow key={choice.label} submenu={choice} container={content} />
            ) : (
              <ActionRow key={choice.label} action={choice} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function ActionRow({ action }: { action: MenuAction }) {
  const { label, icon, isDanger = false, onChoose } = action;
  return (
    <DropdownMenu.Item onSelect={onChoose} className={clsx(ROW, isDanger && 'text-bad')}>
      {icon}
      <span className="min-w-0">{label}</span>
    </DropdownMenu.Item>
  );
}

type SubmenuRowProps = { submenu: Submenu; container: HTMLElement | null };

function SubmenuRow({ submenu, container }: SubmenuRowProps) {
  const { label, icon, choices } = submenu;
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={ROW}>
        {icon}
        {label}
        <ChevronRight size={14} aria-hidden="true" className="ml-auto text-faint" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.SubContent
          sideOffset={6}
          collisionPadding={8}
          className={clsx(PANEL, 'max-h-72 overflow-y-auto')}
        >
          {choices.map((choice, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two apps may have the same name
            <ActionRow key={position} action={choice} />
          ))}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}
