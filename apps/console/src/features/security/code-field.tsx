import { Field } from '../../ui/field.tsx';
import { MESSAGES } from './messages.ts';

type CodeFieldProps = { value: string; autoFocus?: boolean; onChange(code: string): void };

export function CodeField({ onChange, ...field }: CodeFieldProps) {
  const { code, codeHint } = MESSAGES.authenticator;
  return (
    <Field
      {...field}
      label={code}
      hint={codeHint}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
