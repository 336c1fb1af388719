import { Dialog } from '../ui/dialog.tsx';
import { Key } from '../ui/key.tsx';
import { MESSAGES } from './messages.ts';

/** Which keys do what, everywhere. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog isOpen onOpenChange={onClose} title={MESSAGES.help.title}>
      <dl className="grid gap-2.5 overflow-y-auto p-5">
        {MESSAGES.help.keys.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt className="text-muted">{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
