import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { passwordStrength } from './password-strength.ts';
import { PASSWORD_STRENGTHS } from './texts.ts';

type NewPasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'value' | 'onChange'> & {
  value: string;
  onChange(password: string): void;
};

/** A field for a new password, with a hint about its strength. */
export function NewPasswordField({ value, onChange, ...field }: NewPasswordFieldProps) {
  const strength = passwordStrength(value);
  return (
    <Field
      {...field}
      type="password"
      autoComplete="new-password"
      aside={strength && <span className="text-xs text-faint">{PASSWORD_STRENGTHS[strength]}</span>}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
