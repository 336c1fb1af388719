import { Field } from '../../ui/field.tsx';
import type { FieldsProps } from './fields-props.ts';
import { MESSAGES } from './messages.ts';
import { RefField } from './ref-field.tsx';
import { SecretField } from './secret-field.tsx';

/** A git address and ref, and whose access clones it. */
export function GitFields(fields: FieldsProps) {
  const { draft, problems, integrations, onChange } = fields;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <Field
          label={MESSAGES.origin.sourceUrl}
          placeholder={MESSAGES.examples.sourceUrl}
          autoComplete="off"
          spellCheck={false}
          value={draft.sourceUrl}
          problem={problems.sourceUrl}
          onChange={(event) => onChange({ sourceUrl: event.target.value })}
        />
        <RefField {...fields} />
      </div>
      <SecretField
        type="ssh"
        label={MESSAGES.sourceSecret}
        none={MESSAGES.noSourceSecret}
        integrations={integrations}
        value={draft.sourceSecretName}
        onChange={(sourceSecretName) => onChange({ sourceSecretName })}
      />
    </>
  );
}
