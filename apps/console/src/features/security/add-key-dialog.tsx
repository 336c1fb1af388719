import { useState } from 'react';
import { useAccount } from '../../backend/live-context.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useAct } from './use-act.ts';

const { keys: TEXTS } = MESSAGES;

type AddKeyDialogProps = { onClose(): void; onAdded(): void };

/** Asks for a name; then the browser asks for the key. */
export function AddKeyDialog({ onClose, onAdded }: AddKeyDialogProps) {
  const { addSecurityKey } = useAccount();
  const addition = useAct(addSecurityKey, TEXTS.added);
  const [name, setName] = useState('');

  async function add() {
    if (!(await addition.run(name.trim()))) return;
    onAdded();
    onClose();
  }

  return (
    <FormDialog
      title={TEXTS.add}
      action={TEXTS.add}
      isBusy={addition.isBusy}
      onClose={onClose}
      onSubmit={add}
    >
      <Field
        label={TEXTS.name}
        hint={TEXTS.hint}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
