import { useRegisterCommands } from '../../lib/commands.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { Moon, Pencil, Sun, Trash2 } from '../../ui/icons.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import type { AppView } from './model/app-view.ts';

const { commands: COMMANDS } = MESSAGES;

type AppActionsProps = {
  view: AppView;
  onSleep(instances: 0 | 1): void;
  onEdit(): void;
  onDelete(): void;
};

export function AppActions({ view, onSleep, onEdit, onDelete }: AppActionsProps) {
  const { sleep, edit } = view;
  const isAsleep = sleep.instances === 1;
  const SleepIcon = isAsleep ? Sun : Moon;
  return (
    <div className="flex flex-wrap gap-2 max-[400px]:*:px-3 max-[400px]:[&_svg]:hidden">
      <Tooltip text={sleep.reason}>
        <Button
          kind={isAsleep ? 'primary' : 'secondary'}
          isDisabled={sleep.isDisabled}
          isBusy={sleep.isBusy}
          onClick={() => onSleep(sleep.instances)}
        >
          {!sleep.isBusy && <SleepIcon size={16} aria-hidden="true" />}
          {sleep.label}
        </Button>
      </Tooltip>
      <Tooltip text={edit.reason}>
        <Button isDisabled={edit.isDisabled} onClick={onEdit}>
          <Pencil size={15} aria-hidden="true" />
          {MESSAGES.editApp}
        </Button>
      </Tooltip>
      <Button kind="danger" onClick={onDelete}>
        <Trash2 size={15} aria-hidden="true" />
        {MESSAGES.delete}
      </Button>
    </div>
  );
}

type AppCommandHandlers = { onSleep(): void; onEdit(): void; onDelete(): void };

/** Commands of the command palette for the app on the page. */
export function useAppCommands(
  name: string,
  { sleep, edit }: AppView,
  url: string | undefined,
  handlers: AppCommandHandlers,
): void {
  const sleepCommand =
    sleep.instances === 1
      ? { label: COMMANDS.wake(name), run: handlers.onSleep }
      : {
          label: COMMANDS.hibernate(name),
          needsConfirmation: true as const,
          run: handlers.onSleep,
        };
  useRegisterCommands([
    ...(sleep.isDisabled ? [] : [sleepCommand]),
    ...(edit.isDisabled ? [] : [{ label: COMMANDS.edit(name), run: handlers.onEdit }]),
    ...(url === undefined ? [] : addressCommands(name, url)),
    { label: COMMANDS.delete(name), run: handlers.onDelete },
  ]);
}

function addressCommands(name: string, url: string) {
  return [
    { label: COMMANDS.visit(name), run: () => void window.open(url, '_blank', 'noopener') },
    { label: COMMANDS.copyUrl(name), run: () => void copyText(url) },
  ];
}
