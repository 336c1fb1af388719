import { Dialog } from '../ui/dialog.tsx';
import { KeyboardKey } from '../ui/keyboard-key.tsx';
import { MESSAGES } from './messages.ts';

/** The keyboard shortcuts that work on every page. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog isOpen onOpenChange={onClose} title={MESSAGES.help.title}>
      <dl className="grid gap-2.5 overflow-y-auto p-5">
        {MESSAGES.help.keys.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt className="text-muted">{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <KeyboardKey key={key}>{key}</KeyboardKey>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
