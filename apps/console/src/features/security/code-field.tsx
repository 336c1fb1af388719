import { Field } from '../../ui/field.tsx';
import { UnsavedEdits } from '../../ui/unsaved-edits.tsx';
import { MESSAGES } from './messages.ts';

type CodeFieldProps = {
  value: string;
  /** The keyboard of a phone then also offers letters. */
  acceptsRecoveryCode?: boolean;
  onChange(code: string): void;
};

export function CodeField({ value, acceptsRecoveryCode = false, onChange }: CodeFieldProps) {
  const { code, codeHint, anyCodeHint } = MESSAGES.authenticator;
  return (
    <>
      <UnsavedEdits before="" after={value} />
      <Field
        label={code}
        hint={acceptsRecoveryCode ? anyCodeHint : codeHint}
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        {...(acceptsRecoveryCode
          ? { autoCapitalize: 'characters' }
          : { inputMode: 'numeric', maxLength: 7 })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
