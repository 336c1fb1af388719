import { DEFAULT_SOURCE_REF } from '@longshore/contract';
import { useDebounced } from '../../lib/use-debounced.ts';
import { ComboboxField } from '../../ui/combobox-field.tsx';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps } from './fields-props.ts';
import { MESSAGES } from './messages.ts';
import { knownRepository, type RepositoryOfAccount } from './model/known-repository.ts';
import { useRefChoices } from './use-ref-choices.ts';

const TYPING_MS = 400;

/** A branch, tag or commit. Where an account can tell which there are, they are offered. */
export function RefField({ draft, problems, integrations, onChange }: FieldsProps) {
  const sourceUrl = useDebounced(draft.sourceUrl, TYPING_MS);
  const known = knownRepository({ ...draft, sourceUrl }, integrations);
  const field = {
    label: MESSAGES.origin.sourceRef,
    placeholder: DEFAULT_SOURCE_REF,
    value: draft.sourceRef,
    problem: problems.sourceRef,
  };
  if (known === undefined) {
    return (
      <Field
        {...field}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ sourceRef: event.target.value })}
      />
    );
  }
  return <OfferedRefs {...field} of={known} onChange={(sourceRef) => onChange({ sourceRef })} />;
}

type OfferedRefsProps = {
  label: string;
  placeholder: string;
  value: string;
  problem: string | undefined;
  of: RepositoryOfAccount;
  onChange(ref: string): void;
};

function OfferedRefs({ of, ...field }: OfferedRefsProps) {
  const state = useRefChoices(of);
  return (
    <ComboboxField
      {...field}
      choices={state.kind === 'ready' ? state.data : []}
      hint={state.kind === 'failed' ? MESSAGES.refsFailed : undefined}
    />
  );
}
