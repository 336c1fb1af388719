import { useCallback } from 'react';
import { useConnect } from '../../backend/live-context.tsx';
import { type Loaded, useAnswer } from '../../backend/use-answer.ts';
import type { Choice } from '../../ui/matching-choices.ts';
import type { RepositoryOfAccount } from './model/known-repository.ts';
import { refChoices } from './model/ref-choices.ts';

/** Branches and tags of a repository. Without its tags the branches are still of use. */
export function useRefChoices({
  integrationId,
  repository,
}: RepositoryOfAccount): Loaded<Choice[]> {
  const { branches, tags } = useConnect();
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const [heads, marks] = await Promise.all([
        branches(integrationId, repository, signal),
        tags(integrationId, repository, signal),
      ]);
      if (!heads.ok) return heads;
      return { ok: true as const, value: refChoices(heads.value, marks.ok ? marks.value : []) };
    },
    [branches, tags, integrationId, repository],
  );
  return useAnswer(ask).state;
}
