import type { Repository } from '@longshore/contract';
import { useCallback, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { isNamedLike } from '../../lib/resource-lists.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

/** Fewer are searched here, at once; more are searched by the server. */
const MANY = 300;
const TYPING_MS = 250;
const SHOWN_AT_MOST = 100;

export type RepositoriesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  /** `found`: how many match. */
  | { kind: 'ready'; found: number };

/** The repositories of an account that match a search, most recently active first. */
export function useRepositories(integrationId: string, search: string) {
  const { connect } = useServices();
  const [isMany, setMany] = useState(false);
  const settled = useDebounced(search.trim(), TYPING_MS);
  const asked = isMany ? settled : '';
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const answer = await connect.repositories(integrationId, { search: asked, signal });
      if (!answer.ok) return answer;
      const { repositories: listed, isCut } = answer.data;
      if (asked === '') setMany(isCut || listed.length > MANY);
      return { ok: true as const, data: { listed, asked } };
    },
    [connect, integrationId, asked],
  );
  const { state: answered, isFetching, reload } = useQuery(ask);
  const matching = answered.kind === 'ready' ? matchesOf(answered.data, search) : [];
  const state: RepositoriesState =
    answered.kind === 'ready' ? { kind: 'ready', found: matching.length } : answered;
  return {
    state,
    shown: matching.slice(0, SHOWN_AT_MOST),
    isSearching: isFetching || (isMany && settled !== search.trim()),
    reload,
  };
}

type Answered = { listed: Repository[]; asked: string };

/** The server may look at more than names: what it found is not sieved again. */
function matchesOf({ listed, asked }: Answered, search: string): Repository[] {
  return asked === '' ? listed.filter(({ full_name }) => isNamedLike(full_name, search)) : listed;
}
