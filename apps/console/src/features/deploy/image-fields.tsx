import { Field } from '../../ui/field.tsx';
import type { FieldsProps } from './fields-props.ts';
import { MESSAGES } from './messages.ts';
import { SecretField } from './secret-field.tsx';

/** An image and tag, and whose access pulls it. */
export function ImageFields({ draft, problems, integrations, onChange }: FieldsProps) {
  const registry = integrations.find(({ id }) => id === draft.containerPullSecretName);
  const isElsewhere = registry?.values.provider === 'registry' && registry.values.host;
  const { examples } = MESSAGES;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
        <Field
          label={MESSAGES.origin.image}
          placeholder={isElsewhere ? examples.imageAt(isElsewhere) : examples.image}
          autoComplete="off"
          spellCheck={false}
          value={draft.containerImage}
          problem={problems.containerImage}
          onChange={(event) => onChange({ containerImage: event.target.value })}
        />
        <Field
          label={MESSAGES.origin.tag}
          placeholder={examples.tag}
          autoComplete="off"
          spellCheck={false}
          value={draft.containerTag}
          onChange={(event) => onChange({ containerTag: event.target.value })}
        />
      </div>
      <SecretField
        type="docker"
        label={MESSAGES.pullSecret}
        none={MESSAGES.noPullSecret}
        integrations={integrations}
        value={draft.containerPullSecretName}
        onChange={(containerPullSecretName) => onChange({ containerPullSecretName })}
      />
    </>
  );
}
