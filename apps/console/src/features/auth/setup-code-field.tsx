import { Field } from '../../ui/field.tsx';
import { MESSAGES } from './messages.ts';

type SetupCodeFieldProps = { value: string; onChange(code: string): void };

/** Only on the way to the first account, where others could come first. */
export function SetupCodeField({ value, onChange }: SetupCodeFieldProps) {
  return (
    <Field
      {...MESSAGES.setupCode}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
