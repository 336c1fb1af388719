import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Search } from '../../ui/icons.tsx';
import { useDoubleClickGuard } from '../../ui/use-double-click-guard.ts';
import { askToLeave } from '../../ui/use-leave-guard.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { MESSAGES } from '../messages.ts';
import { nextPosition } from './model/next-position.ts';
import { foundEntries, type PaletteEntry, paletteEntries } from './model/palette-entries.ts';
import { firstSelection, isConfirmed, positionOf, select } from './model/selection.ts';
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
  const all = useMemo(() => paletteEntries(content), [content]);
  const [typed, setTyped] = useState('');
  const entries = useMemo(() => foundEntries(all, typed), [all, typed]);
  const [selection, setSelection] = useState(() => firstSelection(entries, typed));
  const shown = useDeferredValue(entries, entries.slice(0, FIRST_SHOWN));
  const current = positionOf(selection, entries);

  function search(text: string) {
    setTyped(text);
    setSelection(firstSelection(foundEntries(all, text), text));
  }

  function choose(entry: PaletteEntry) {
    if (!isConfirmed(selection, entry)) return setSelection({ key: entry.key, isAsked: true });
    onClose();
    const { act } = entry;
    if (act.kind === 'go') askToLeave(() => void navigate(act.to));
    else act.run();
  }

  function handleKeyDown(event: KeyboardEvent) {
    const chosen = entries[current];
    const next = nextPosition(event.key, current, entries.length);
    if (next !== undefined) setSelection(select(selection, entries[next]?.key));
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // A held key must not confirm.
    else if (chosen !== undefined && !event.repeat) choose(chosen);
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
              // Focused in the same task as the key press that opens the palette, so that no typed key is lost.
              // biome-ignore lint/a11y/noAutofocus: the user opened the palette to type
              autoFocus
              role="combobox"
              aria-label={MESSAGES.palette.title}
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={current >= 0 ? `${listId}-${current}` : undefined}
              placeholder={MESSAGES.palette.placeholder}
              value={typed}
              onChange={(event) => search(event.target.value)}
              onKeyDown={handleKeyDown}
              className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint"
            />
          </div>
          <PaletteList
            id={listId}
            entries={shown}
            current={entries[current]?.key}
            isAsked={selection.isAsked}
            isLoading={content.isLoading}
            onPoint={({ key }) => setSelection(select(selection, key))}
            onChoose={choose}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
