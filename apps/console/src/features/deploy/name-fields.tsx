import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';

type NameFieldsProps = Omit<DraftFieldsProps, 'integrations'> & {
  nameHint?: ReactNode;
  portHint?: ReactNode;
};

/** Name and port of an app. */
export function NameFields(props: NameFieldsProps) {
  const { draft, problems, nameHint, portHint, onChange } = props;
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
      <Field
        label={MESSAGES.appName}
        placeholder={MESSAGES.examples.appName}
        autoComplete="off"
        spellCheck={false}
        hint={nameHint}
        value={draft.appName}
        problem={problems.appName}
        onChange={(event) => onChange({ appName: event.target.value })}
      />
      <Field
        label={MESSAGES.port}
        inputMode="numeric"
        autoComplete="off"
        hint={portHint}
        value={draft.port}
        problem={problems.port}
        onChange={(event) => onChange({ port: event.target.value })}
      />
    </div>
  );
}
