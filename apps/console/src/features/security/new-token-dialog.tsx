import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { MESSAGES } from './messages.ts';

const { tokens: TEXTS } = MESSAGES;

/** The only time the token is told. */
export function NewTokenDialog({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <Dialog isOpen onOpenChange={onClose} title={TEXTS.made} description={TEXTS.once}>
      <div className="flex items-center gap-1 p-5">
        <code className="min-w-0 flex-1 rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
          {token}
        </code>
        <CopyButton text={token} label={TEXTS.copy} />
      </div>
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          {TEXTS.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
