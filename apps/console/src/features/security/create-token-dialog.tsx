import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { LIFETIMES, type Lifetime } from './model/token-lifetime.ts';
import { ShownOnceDialog } from './shown-once-dialog.tsx';
import { useTokenForm } from './use-token-form.ts';

const { tokens: TEXTS } = MESSAGES;

type CreateTokenDialogProps = { onClose(): void; onCreated(): void };

/** Asks for name and lifetime, then shows the token once. */
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
      <UnsavedEdits before="" after={form.name} />
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

function NewTokenDialog({ token, onClose }: { token: string; onClose(): void }) {
  return (
    <ShownOnceDialog texts={{ ...TEXTS, title: TEXTS.created }} onClose={onClose}>
      <div className="flex items-center gap-1">
        <code className="min-w-0 flex-1 rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
          {token}
        </code>
        <CopyButton text={token} label={TEXTS.copy} />
      </div>
    </ShownOnceDialog>
  );
}
