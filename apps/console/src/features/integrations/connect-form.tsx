import { type FormEvent, type ReactNode, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts';
import { Notice } from '../../ui/notice.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';

type ConnectFormProps = {
  /** The fields, and their values when the form was opened. */
  fields: Record<string, string>;
  openedFields: Record<string, string>;
  failure: string | undefined;
  isBusy: boolean;
  onSubmit(): void;
  children: ReactNode;
};

/** The layout of both connect forms: error, fields and button. Focuses the first invalid field. */
export function ConnectForm(props: ConnectFormProps) {
  const { fields, openedFields, failure, isBusy, onSubmit, children } = props;
  const form = useRef<HTMLFormElement>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    onSubmit();
    focusFirstInvalid(form.current);
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <UnsavedEdits before={openedFields} after={fields} />
      <div className="grid gap-4 overflow-auto p-5">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {children}
      </div>
      <DialogFooter>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {MESSAGES.connect}
        </Button>
      </DialogFooter>
    </form>
  );
}
