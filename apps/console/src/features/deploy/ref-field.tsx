import { DEFAULT_SOURCE_REF } from '@longshore/contract';
import { useCallback } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { type QueryState, useQuery } from '../../client/use-query.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { ComboboxField } from '../../ui/combobox-field.tsx';
import { Field } from '../../ui/field.tsx';
import type { Choice } from '../../ui/matching-choices.ts';
import type { DraftFieldsProps } from './draft-fields-props.ts';
import { MESSAGES } from './messages.ts';
import { type ConnectedRepository, connectedRepository, refChoices } from './model/repository.ts';

const DEBOUNCE_MS = 400;

/** A branch, tag or commit. Offers the branches and tags of a repository that a connected account can read. */
export function RefField({ draft, problems, integrations, onChange }: DraftFieldsProps) {
  const sourceUrl = useDebounced(draft.sourceUrl, DEBOUNCE_MS);
  const repository = connectedRepository({ ...draft, sourceUrl }, integrations);
  const field = {
    label: MESSAGES.origin.sourceRef,
    placeholder: DEFAULT_SOURCE_REF,
    value: draft.sourceRef,
    problem: problems.sourceRef,
  };
  if (repository === undefined) {
    return (
      <Field
        {...field}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ sourceRef: event.target.value })}
      />
    );
  }
  return (
    <RefCombobox
      {...field}
      repository={repository}
      onChange={(sourceRef) => onChange({ sourceRef })}
    />
  );
}

type RefComboboxProps = {
  label: string;
  placeholder: string;
  value: string;
  problem: string | undefined;
  repository: ConnectedRepository;
  onChange(ref: string): void;
};

function RefCombobox({ repository, ...field }: RefComboboxProps) {
  const state = useRefChoices(repository);
  return (
    <ComboboxField
      {...field}
      choices={state.kind === 'ready' ? state.data : []}
      hint={state.kind === 'failed' ? MESSAGES.refsFailed : undefined}
    />
  );
}

/** Branches and tags of a repository. If only the tags fail to load, the branches are still offered. */
function useRefChoices({ integrationId, repository }: ConnectedRepository): QueryState<Choice[]> {
  const { connect } = useServices();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [branches, tags] = await Promise.all([
        connect.branches(integrationId, repository, { signal }),
        connect.tags(integrationId, repository, { signal }),
      ]);
      if (!branches.ok) return branches;
      const choices = refChoices(branches.data.branches, tags.ok ? tags.data.tags : []);
      return { ok: true as const, data: choices };
    },
    [connect, integrationId, repository],
  );
  return useQuery(load).state;
}
