import { type Reference, referenceText } from '@longshore/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { MESSAGES } from './messages.ts';
import type { OfferedApp } from './model/variable-references.ts';

const { references: TEXTS } = MESSAGES;

type ReferenceDialogProps = {
  /** At least one. */
  apps: OfferedApp[];
  onAdd(reference: Reference): void;
  onClose(): void;
};

/** Chooses a variable of another app of the project. */
export function ReferenceDialog({ apps, onAdd, onClose }: ReferenceDialogProps) {
  const [app, setApp] = useState(apps[0]?.name ?? '');
  const [variable, setVariable] = useState('');
  const variables = apps.find(({ name }) => name === app)?.variables ?? [];
  const chosen = variables.includes(variable) ? variable : (variables[0] ?? '');
  const reference = { app, variable: chosen };
  return (
    <Dialog isOpen onOpenChange={onClose} title={TEXTS.add} description={TEXTS.description}>
      <div className="grid gap-4 p-5">
        <SelectField
          label={TEXTS.app}
          value={app}
          options={apps.map(({ name }) => ({ value: name, label: name }))}
          onChange={setApp}
        />
        <SelectField
          label={TEXTS.variable}
          hint={TEXTS.meanings[chosen]}
          value={chosen}
          options={variables.map((name) => ({ value: name, label: name }))}
          onChange={setVariable}
        />
        <p className="text-muted">
          {TEXTS.value}{' '}
          <code className="font-mono text-[0.8125rem]">{referenceText(reference)}</code>
        </p>
      </div>
      <DialogFooter>
        <Button onClick={onClose}>{CANCEL}</Button>
        <Button kind="primary" onClick={() => onAdd(reference)}>
          {TEXTS.confirm}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
