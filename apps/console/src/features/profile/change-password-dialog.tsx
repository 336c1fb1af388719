import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CANCEL } from '../../ui/texts.ts';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';
import { useChangePasswordForm } from './use-change-password-form.ts';

type ChangePasswordDialogProps = { email: string; onClose(): void };

/** The Change Password dialog (spec-map 2.14). Closing it clears the fields. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const form = useChangePasswordForm(onClose);
  return (
    <Dialog isOpen onOpenChange={onClose} title={MESSAGES.changePassword}>
      <form onSubmit={form.submit}>
        <UnsavedEdits before="" after={form.password + form.confirmation} />
        <div className="grid gap-4 p-5">
          {form.problem !== undefined && <Notice tone="bad">{form.problem}</Notice>}
          {/* Lets password managers identify the account of the password. */}
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <NewPasswordField
            label={MESSAGES.newPassword}
            required
            autoFocus
            value={form.password}
            onChange={form.setPassword}
          />
          <Field
            label={MESSAGES.confirmation}
            type="password"
            autoComplete="new-password"
            required
            value={form.confirmation}
            onChange={(event) => form.setConfirmation(event.target.value)}
          />
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{CANCEL}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {form.isBusy ? MESSAGES.changing : MESSAGES.changePassword}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
