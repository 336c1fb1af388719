import { type FormEvent, useState } from 'react';
import { useChangePassword } from '../../backend/use-auth.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { CANCEL } from '../../ui/words.ts';
import { MESSAGES } from './messages.ts';

type ChangePasswordDialogProps = { email: string; onClose(): void };

/** Spec §2, Change Password dialog. Closing it forgets what was typed. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const { send, isBusy } = useChangePassword();
  const toast = useToast();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setProblem(undefined);
    if (password !== confirmation) return toast({ tone: 'bad', ...MESSAGES.passwordMismatch });
    const outcome = await send(password);
    if (!outcome.ok) return setProblem(outcome.message || MESSAGES.changeFailed);
    toast(MESSAGES.passwordChanged);
    onClose();
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={MESSAGES.changePassword}>
      <form onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 p-5">
          {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
          {/* Tells a password manager whose password it is. */}
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <NewPasswordField
            label={MESSAGES.newPassword}
            required
            autoFocus
            value={password}
            onChange={setPassword}
          />
          <Field
            label={MESSAGES.confirmation}
            type="password"
            autoComplete="new-password"
            required
            value={confirmation}
            onChange={(event) => setConfirmation(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? MESSAGES.changing : MESSAGES.changePassword}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
