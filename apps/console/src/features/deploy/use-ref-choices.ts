import { useCallback } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { type QueryState, useQuery } from '../../client/use-query.ts';
import type { Choice } from '../../ui/matching-choices.ts';
import type { RepositoryOfAccount } from './model/known-repository.ts';
import { refChoices } from './model/ref-choices.ts';

/** Branches and tags of a repository. Without its tags the branches are still of use. */
export function useRefChoices({
  integrationId,
  repository,
}: RepositoryOfAccount): QueryState<Choice[]> {
  const { connect } = useServices();
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const [heads, marks] = await Promise.all([
        connect.branches(integrationId, repository, { signal }),
        connect.tags(integrationId, repository, { signal }),
      ]);
      if (!heads.ok) return heads;
      const { branches } = heads.data;
      return { ok: true as const, data: refChoices(branches, marks.ok ? marks.data.tags : []) };
    },
    [connect, integrationId, repository],
  );
  return useQuery(ask).state;
}
