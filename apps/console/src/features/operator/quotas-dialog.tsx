import type { OperatorService } from '@longshore/client';
import type { OperatedUser } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Field } from '../../ui/field.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';
import { fieldsOf, parseQuotas, QUOTA_NAMES, type QuotaName } from './model/quota-fields.ts';
import { useChange } from './use-change.ts';

const { quotas: TEXTS } = MESSAGES;

type QuotasDialogProps = {
  operator: OperatorService;
  user: OperatedUser;
  title: string;
  onClose(): void;
  onSaved(): void;
};

export function QuotasDialog({ operator, user, title, onClose, onSaved }: QuotasDialogProps) {
  const before = fieldsOf(user.quotas);
  const [fields, setFields] = useState(before);
  const [invalid, setInvalid] = useState<QuotaName[]>([]);
  const { isBusy, run } = useChange(operator.changeQuotas, TEXTS.saved);

  async function save(): Promise<void> {
    const parsed = parseQuotas(fields);
    if (!parsed.ok) return setInvalid(parsed.invalid);
    const saved = await run({ userId: user.id, quotas: parsed.quotas });
    if (saved === undefined) return;
    onSaved();
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) void save();
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={title} description={TEXTS.hint}>
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="grid gap-4 overflow-y-auto p-5 sm:grid-cols-2">
          <UnsavedEdits before={before} after={fields} />
          {QUOTA_NAMES.map((name) => (
            <Field
              key={name}
              label={TEXTS.fields[name]}
              inputMode="decimal"
              autoComplete="off"
              value={fields[name]}
              problem={invalid.includes(name) ? TEXTS.invalid : undefined}
              onChange={(event) => {
                setFields({ ...fields, [name]: event.target.value });
                setInvalid(invalid.filter((it) => it !== name));
              }}
            />
          ))}
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {TEXTS.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
