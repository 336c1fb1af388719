import { projectNameProblem } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Field } from '../../ui/field.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';

type ProjectDialogProps = {
  title: string;
  action: string;
  initialName?: string;
  onClose(): void;
  /** Returns whether the dialog may close; a failed submit keeps the name. */
  onSubmit(name: string): Promise<boolean>;
};

/** Creates or renames a project. */
export function ProjectDialog(props: ProjectDialogProps) {
  const { title, action, initialName = '', onClose, onSubmit } = props;
  const toast = useToast();
  const [name, setName] = useState(initialName);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const nameProblem = projectNameProblem(name);
    setProblem(nameProblem);
    if (nameProblem !== undefined) {
      toast({ tone: 'bad', title: MESSAGES.invalidInput, text: nameProblem });
      return;
    }
    setBusy(true);
    const isDone = await onSubmit(name.trim());
    if (isDone) onClose();
    else setBusy(false);
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={title}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <UnsavedEdits before={initialName} after={name} />
        <div className="p-5">
          <Field
            label={MESSAGES.name.label}
            placeholder={MESSAGES.name.example}
            autoComplete="off"
            autoFocus
            value={name}
            problem={problem}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
