import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { LIFETIMES, type Lifetime } from './model/token-lifetime.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { useTokenForm } from './use-token-form.ts';

const { tokens: TEXTS } = MESSAGES;

type CreateTokenDialogProps = { onClose(): void; onCreated(): void };

/** Asks what it is for and how long; then shows it, once. */
export function CreateTokenDialog({ onClose, onCreated }: CreateTokenDialogProps) {
  const form = useTokenForm(onCreated);
  if (form.token !== undefined) return <NewTokenDialog token={form.token} onClose={onClose} />;
  return (
    <FormDialog
      title={TEXTS.create}
      action={TEXTS.create}
      isBusy={form.isBusy}
      onClose={onClose}
      onSubmit={form.create}
    >
      <Field
        label={TEXTS.name}
        hint={TEXTS.hint}
        autoComplete="off"
        autoFocus
        value={form.name}
        problem={form.problem}
        onChange={(event) => form.setName(event.target.value)}
      />
      <div className="grid justify-items-start gap-1.5">
        <span className="font-medium">{TEXTS.expiry}</span>
        <Segmented<Lifetime>
          label={TEXTS.expiry}
          value={form.lifetime}
          options={LIFETIMES}
          onChange={form.setLifetime}
        />
      </div>
    </FormDialog>
  );
}
