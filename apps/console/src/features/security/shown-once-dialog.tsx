import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';

type ShownOnceDialogProps = {
  texts: { title: string; once: string; saved: string; notSaved: string; done: string };
  onClose(): void;
  children: ReactNode;
};

/**
 * Shows a secret that the server never returns again, so it closes only when the user has confirmed saving it. Until then,
 * Back stays on the page, and the browser asks before it closes the tab.
 */
export function ShownOnceDialog({ texts, onClose, children }: ShownOnceDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const [problem, setProblem] = useState<string>();
  const showProblem = () => setProblem(texts.notSaved);
  const close = () => (isSaved ? onClose() : showProblem());
  useLeaveGuard(!isSaved, showProblem);

  return (
    <Dialog isOpen onOpenChange={close} title={texts.title} description={texts.once}>
      <div className="grid gap-4 overflow-y-auto p-5">
        {children}
        <SavedField
          label={texts.saved}
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
          {texts.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type SavedFieldProps = {
  label: string;
  isSaved: boolean;
  problem: string | undefined;
  onChange(isSaved: boolean): void;
};

function SavedField({ label, isSaved, problem, onChange }: SavedFieldProps) {
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
        {label}
      </label>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="text-xs text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
