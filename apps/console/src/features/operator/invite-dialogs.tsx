import type { OperatorService } from '@longshore/client';
import type { NewInvitation } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Field } from '../../ui/field.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';
import { useChange } from './use-change.ts';

const { invitations: TEXTS } = MESSAGES;

type InviteDialogProps = {
  operator: OperatorService;
  onClose(): void;
  onCreated(created: NewInvitation): void;
};

export function InviteDialog({ operator, onClose, onCreated }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const { isBusy, run } = useChange(operator.invite);

  async function invite(): Promise<void> {
    const created = await run(email.trim());
    if (created !== undefined) onCreated(created.data);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) void invite();
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={TEXTS.dialog} description={TEXTS.text}>
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <div className="grid gap-4 overflow-y-auto p-5">
          <UnsavedEdits before="" after={email} />
          <Field
            label={TEXTS.email}
            type="email"
            autoComplete="off"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {TEXTS.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type InvitationLinkDialogProps = { created: NewInvitation; onClose(): void };

/** The server stores only the hash of the link. */
export function InvitationLinkDialog({ created, onClose }: InvitationLinkDialogProps) {
  return (
    <Dialog isOpen onOpenChange={onClose} title={TEXTS.created} description={TEXTS.once}>
      <div className="grid gap-4 overflow-y-auto p-5">
        <p className="break-all">{created.invitation.email}</p>
        <div className="flex items-center gap-1">
          <code className="min-w-0 flex-1 rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
            {created.link}
          </code>
          <CopyButton text={created.link} label={TEXTS.copy} />
        </div>
        <p className="text-muted">{TEXTS.mail[created.mail]}</p>
      </div>
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          {TEXTS.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
