import { useId, useState } from 'react';
import { useUser } from '../../client/session-context.tsx';
import { downloadText } from '../../lib/download-text.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Check, Copy, Download } from '../../ui/icons.tsx';
import { COPIED } from '../../ui/texts.ts';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';
import { MESSAGES } from './messages.ts';
import { recoveryCodesFile } from './model/recovery-codes.ts';

const { recoveryCodes: TEXTS } = MESSAGES;

type RecoveryCodesDialogProps = { codes: string[]; onClose(): void };

/**
 * The server never returns the codes again, so the dialog closes only when the user has confirmed saving them. Until then,
 * Back stays on the page, and the browser asks before it closes the tab.
 */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const [problem, setProblem] = useState<string>();

  const refuse = () => setProblem(TEXTS.notSaved);
  const close = isSaved ? onClose : refuse;
  useLeaveGuard(!isSaved, refuse);

  return (
    <Dialog isOpen onOpenChange={close} title={TEXTS.title} description={TEXTS.once}>
      <div className="grid gap-4 overflow-y-auto p-5">
        <ol className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-box border border-line bg-sunken px-4 py-3 font-mono text-[0.8125rem]">
          {codes.map((code) => (
            <li key={code} className="whitespace-nowrap">
              {code}
            </li>
          ))}
        </ol>
        <SaveButtons codes={codes} />
        <SavedField
          isSaved={isSaved}
          problem={problem}
          onChange={(next) => {
            setSaved(next);
            setProblem(undefined);
          }}
        />
      </div>
      <DialogFooter>
        <Button kind="primary" onClick={close}>
          {TEXTS.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function SaveButtons({ codes }: { codes: string[] }) {
  const { email, id } = useUser();
  const { isCopied, copy } = useCopy(codes.join('\n'));
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        <span aria-live="polite">{isCopied ? COPIED : TEXTS.copy}</span>
      </Button>
      <Button onClick={() => downloadText(recoveryCodesFile(codes, email ?? id), TEXTS.fileName)}>
        <Download size={16} aria-hidden="true" />
        {TEXTS.download}
      </Button>
    </div>
  );
}

type SavedFieldProps = {
  isSaved: boolean;
  problem: string | undefined;
  onChange(isSaved: boolean): void;
};

function SavedField({ isSaved, problem, onChange }: SavedFieldProps) {
  const problemId = useId();
  return (
    <div>
      <label className="-mx-3 flex min-h-10 cursor-pointer items-center gap-2.5 px-3 font-medium">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={isSaved}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          onChange={(event) => onChange(event.target.checked)}
        />
        {TEXTS.saved}
      </label>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
