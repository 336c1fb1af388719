import { useRegisterCommands } from '../../lib/commands-context.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { MESSAGES } from './messages.ts';
import type { AppView } from './model/app-view.ts';

const { commands: TEXTS } = MESSAGES;

type Acts = { onSleep(): void; onEdit(): void; onDelete(): void };

/** What the command palette can do with the app that is shown. */
export function useAppCommands(name: string, view: AppView, acts: Acts): void {
  const { sleep, edit, publicAccess } = view;
  const sleepLabel = sleep.instances === 1 ? TEXTS.wake : TEXTS.hibernate;
  useRegisterCommands([
    ...(sleep.isDisabled ? [] : [{ label: sleepLabel(name), run: acts.onSleep }]),
    ...(edit.isDisabled ? [] : [{ label: TEXTS.edit(name), run: acts.onEdit }]),
    ...(publicAccess === undefined ? [] : addressCommands(name, publicAccess.url)),
    { label: TEXTS.delete(name), run: acts.onDelete },
  ]);
}

function addressCommands(name: string, url: string) {
  return [
    { label: TEXTS.visit(name), run: () => void window.open(url, '_blank', 'noopener') },
    { label: TEXTS.copyAddress(name), run: () => void copyText(url) },
  ];
}
