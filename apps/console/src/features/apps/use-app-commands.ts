import { useOffer } from '../../lib/commands-context.tsx';
import { copyText } from '../../lib/copy-text.ts';
import type { AppView } from './model/app-view.ts';

type Acts = { onSleep(): void; onEdit(): void; onDelete(): void };

/** What the command palette can do with the app that is shown. */
export function useAppCommands(name: string, view: AppView, acts: Acts): void {
  const { sleep, edit, publicAccess } = view;
  useOffer([
    ...(sleep.isDisabled ? [] : [{ label: `${sleep.label} ${name}`, run: acts.onSleep }]),
    ...(edit.isDisabled ? [] : [{ label: `Edit ${name}`, run: acts.onEdit }]),
    ...(publicAccess === undefined ? [] : addressCommands(name, publicAccess.url)),
    { label: `Delete ${name}`, run: acts.onDelete },
  ]);
}

function addressCommands(name: string, url: string) {
  return [
    { label: `Visit ${name}`, run: () => void window.open(url, '_blank', 'noopener') },
    { label: `Copy the address of ${name}`, run: () => void copyText(url) },
  ];
}
