import { Field } from '../../ui/field.tsx';
import { MESSAGES } from './messages.ts';

type EmailFieldProps = {
  value: string;
  onChange(email: string): void;
  hint?: string;
  readOnly?: boolean;
};

/** The first field of every page before sign-in. */
export function EmailField({ onChange, ...field }: EmailFieldProps) {
  return (
    <Field
      {...field}
      label={MESSAGES.email}
      type="email"
      autoComplete="email"
      autoFocus
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
