import type { IntegrationResource, IntegrationValues } from '@longshore/contract';
import { SelectField } from '../../ui/select-field.tsx';
import { MESSAGES } from './messages.ts';
import { secretOptions } from './model/secret-options.ts';

type SecretFieldProps = {
  type: IntegrationValues['type'];
  label: string;
  /** What having none says. */
  none: string;
  integrations: IntegrationResource[];
  value: string;
  onChange(name: string): void;
};

/** Whose access is used. Not shown to who has connected nothing. */
export function SecretField({
  type,
  label,
  none,
  integrations,
  value,
  onChange,
}: SecretFieldProps) {
  const options = secretOptions(integrations, type);
  const isGone = value !== '' && !options.some(({ name }) => name === value);
  if (options.length === 0 && !isGone) return null;
  return (
    <SelectField
      label={label}
      value={value}
      problem={isGone ? MESSAGES.secretGoneText : undefined}
      options={[
        { value: '', label: none },
        ...options.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ...(isGone ? [{ value, label: MESSAGES.secretGone }] : []),
      ]}
      onChange={onChange}
    />
  );
}
