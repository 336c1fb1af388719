import { useState } from 'react';
import { useBackend } from '../../backend/backend-context.tsx';
import { useAccount } from '../../backend/live-context.tsx';
import { useRequest } from '../../backend/use-request.ts';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { expiryAfter, LIFETIMES, type Lifetime } from './model/token-lifetime.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';

const { tokens: TEXTS } = MESSAGES;

type CreateTokenDialogProps = { onClose(): void; onCreated(): void };

/** Asks what it is for and how long; then shows it, once. */
export function CreateTokenDialog({ onClose, onCreated }: CreateTokenDialogProps) {
  const { now } = useBackend();
  const { send, isBusy } = useRequest(useAccount().createToken);
  const toast = useToast();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  const [problem, setProblem] = useState<string>();
  const [token, setToken] = useState<string>();

  async function create() {
    const wished = name.trim();
    setProblem(wished === '' ? TEXTS.nameMissing : undefined);
    if (wished === '') return;
    const answer = await send({ name: wished, expiresAt: expiryAfter(lifetime, now()) });
    if (!answer.ok) return toast({ tone: 'bad', title: MESSAGES.failed, text: answer.message });
    setToken(answer.value);
    onCreated();
  }

  if (token !== undefined) return <NewTokenDialog token={token} onClose={onClose} />;
  return (
    <FormDialog
      title={TEXTS.create}
      action={TEXTS.create}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={create}
    >
      <Field
        label={TEXTS.name}
        hint={TEXTS.hint}
        autoComplete="off"
        autoFocus
        value={name}
        problem={problem}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="grid justify-items-start gap-1.5">
        <span className="font-medium">{TEXTS.expiry}</span>
        <Segmented<Lifetime>
          label={TEXTS.expiry}
          value={lifetime}
          options={LIFETIMES}
          onChange={setLifetime}
        />
      </div>
    </FormDialog>
  );
}
