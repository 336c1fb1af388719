import type { Release } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';

export type ReleasesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; releases: Release[]; older: OlderReleases | undefined };

/** Releases before those that are listed. */
export type OlderReleases = { isLoading: boolean; load(): void };

const PAGE_SIZE = 20;

type Listed = { kind: 'ready'; releases: Release[]; limit: number };

/** Keeps the last releases while the live query reconnects and while older ones are loaded. */
export function useReleases(appId: string): ReleasesState {
  const service = useServices().releases;
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [state, setState] = useState<Exclude<ReleasesState, { kind: 'ready' }> | Listed>({
    kind: 'loading',
  });
  useEffect(
    () =>
      service.live(
        { appId, limit },
        {
          next: (releases) => setState({ kind: 'ready', releases, limit }),
          error: ({ message }) =>
            setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', message })),
        },
      ),
    [service, appId, limit],
  );
  if (state.kind !== 'ready') return state;
  const { releases } = state;
  const hasOlder = releases.length >= state.limit && releases.at(-1)?.number !== 1;
  const older = { isLoading: state.limit !== limit, load: () => setLimit(limit + PAGE_SIZE) };
  return { kind: 'ready', releases, older: hasOlder ? older : undefined };
}
