import { useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Field } from '../../ui/field.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useAccountAction } from './use-account-action.ts';

const { keys: TEXTS } = MESSAGES;

type AddKeyDialogProps = { onClose(): void; onAdded(): void };

/** Asks for a name; then the browser prompts for the key. */
export function AddKeyDialog({ onClose, onAdded }: AddKeyDialogProps) {
  const { account } = useServices();
  const addition = useAccountAction(account.addSecurityKey, TEXTS.added);
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
      <UnsavedEdits before="" after={name} />
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
