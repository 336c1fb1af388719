import type { Repository } from '@longshore/contract';
import { useCallback, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { isNamedLike } from '../../lib/resource-lists.ts';
import { useDebounced } from '../../lib/use-debounced.ts';

/** Up to this many repositories are filtered in the browser; larger lists are searched by the server. */
const MAX_FILTERED_LOCALLY = 300;
const DEBOUNCE_MS = 250;
const MAX_SHOWN = 100;

export type RepositoriesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  /** `found`: number of matches. */
  | { kind: 'ready'; found: number };

/** The repositories of an account that match a search, most recently active first. */
export function useRepositories(integrationId: string, search: string) {
  const { connect } = useServices();
  const [isSearchedByServer, setSearchedByServer] = useState(false);
  const debounced = useDebounced(search.trim(), DEBOUNCE_MS);
  const serverSearch = isSearchedByServer ? debounced : '';
  const load = useCallback(
    async (signal: AbortSignal) => {
      const result = await connect.repositories(integrationId, { search: serverSearch, signal });
      if (!result.ok) return result;
      const { repositories: listed, isCut } = result.data;
      if (serverSearch === '') setSearchedByServer(isCut || listed.length > MAX_FILTERED_LOCALLY);
      return { ok: true as const, data: { listed, serverSearch } };
    },
    [connect, integrationId, serverSearch],
  );
  const { state: query, isFetching, reload } = useQuery(load);
  const matching = query.kind === 'ready' ? matchesOf(query.data, search) : [];
  const state: RepositoriesState =
    query.kind === 'ready' ? { kind: 'ready', found: matching.length } : query;
  return {
    state,
    shown: matching.slice(0, MAX_SHOWN),
    isSearching: isFetching || (isSearchedByServer && debounced !== search.trim()),
    reload,
  };
}

type Loaded = { listed: Repository[]; serverSearch: string };

/** Results of a server search are not filtered again: the server may match more than names. */
function matchesOf({ listed, serverSearch }: Loaded, search: string): Repository[] {
  return serverSearch === ''
    ? listed.filter(({ full_name }) => isNamedLike(full_name, search))
    : listed;
}
