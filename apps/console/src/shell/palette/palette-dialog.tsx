import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Search } from '../../ui/icons.tsx';
import { useDoubleClickGuard } from '../../ui/use-double-click-guard.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { MESSAGES } from '../messages.ts';
import { nextPosition } from './model/next-position.ts';
import { foundEntries, type PaletteEntry, paletteEntries } from './model/palette-entries.ts';
import { PaletteList } from './palette-list.tsx';
import { usePaletteContent } from './use-palette-content.ts';

/** The number of entries that are visible without scrolling. */
const FIRST_SHOWN = 12;

type PaletteDialogProps = { onClose(): void; onSignOut(): void };

/** The command palette: type to search, arrow keys select, Enter runs. */
export function PaletteDialog({ onClose, onSignOut }: PaletteDialogProps) {
  const navigate = useNavigate();
  const returnFocus = useReturnFocus();
  const guard = useDoubleClickGuard();
  const listId = useId();
  const content = usePaletteContent(onSignOut);
  const [typed, setTyped] = useState('');
  const [position, setPosition] = useState(0);
  const entries = useMemo(() => foundEntries(paletteEntries(content), typed), [content, typed]);
  const shown = useDeferredValue(entries, entries.slice(0, FIRST_SHOWN));
  const current = Math.min(position, entries.length - 1);

  function choose({ act }: PaletteEntry) {
    onClose();
    if (act.kind === 'go') void navigate(act.to);
    else act.run();
  }

  function handleKeyDown(event: KeyboardEvent) {
    const chosen = entries[current];
    const next = nextPosition(event.key, current, entries.length);
    if (next !== undefined) setPosition(next);
    else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          {...guard}
          className="fixed inset-x-3 top-[12dvh] z-50 mx-auto flex max-h-[70dvh] max-w-xl animate-rise flex-col overflow-hidden rounded-box border border-line bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">{MESSAGES.palette.title}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search size={16} aria-hidden="true" className="shrink-0 text-faint" />
            <input
              role="combobox"
              aria-label={MESSAGES.palette.title}
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={entries.length > 0 ? `${listId}-${current}` : undefined}
              placeholder={MESSAGES.palette.placeholder}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setPosition(0);
              }}
              onKeyDown={handleKeyDown}
              className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint"
            />
          </div>
          <PaletteList
            id={listId}
            entries={shown}
            current={current}
            onPoint={setPosition}
            onChoose={choose}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
