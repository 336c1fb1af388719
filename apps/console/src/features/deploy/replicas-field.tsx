import { MAX_REPLICAS } from '@longshore/contract';
import { Field } from '../../ui/field.tsx';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';

const TEXTS = MESSAGES.replicas;

/** How many instances share the traffic. */
export function ReplicasField({
  draft,
  problems,
  onChange,
}: Pick<DraftFieldsProps, 'draft' | 'problems' | 'onChange'>) {
  return (
    <Field
      label={TEXTS.label}
      hint={TEXTS.hint(MAX_REPLICAS)}
      inputMode="numeric"
      autoComplete="off"
      value={draft.replicas}
      problem={problems.replicas}
      onChange={(event) => onChange({ replicas: event.target.value })}
    />
  );
}
