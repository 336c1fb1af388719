import { useState } from 'react';
import { CodeField } from './code-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { useRecoveryCodeGeneration } from './use-recovery-code-generation.ts';

const { recoveryCodes: TEXTS } = MESSAGES;

type CreateRecoveryCodesDialogProps = {
  /** Whether the account has codes that the new ones replace. */
  isReplacement: boolean;
  onClose(): void;
  onCreated(codes: string[]): void;
};

/** Asks for a code of the authenticator app. */
export function CreateRecoveryCodesDialog(props: CreateRecoveryCodesDialogProps) {
  const { isReplacement, onClose, onCreated } = props;
  const generation = useRecoveryCodeGeneration();
  const [code, setCode] = useState('');

  async function create() {
    const codes = await generation.run(code.trim());
    if (codes !== undefined) onCreated(codes);
  }

  const action = isReplacement ? TEXTS.replace : TEXTS.create;
  return (
    <FormDialog
      title={action}
      description={isReplacement ? TEXTS.confirmReplacement : TEXTS.confirm}
      action={action}
      isBusy={generation.isBusy}
      onClose={onClose}
      onSubmit={create}
    >
      <CodeField value={code} onChange={setCode} />
      {isReplacement && <p className="text-muted">{TEXTS.lostDevice}</p>}
    </FormDialog>
  );
}
