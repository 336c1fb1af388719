import type { Release } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useReleasesPort } from '../../backend/live-context.tsx';

export type ReleasesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; releases: Release[] };

/** What is shown stays while the live query begins again. */
export function useReleases(appId: string): ReleasesState {
  const { live } = useReleasesPort();
  const [state, setState] = useState<ReleasesState>({ kind: 'loading' });
  useEffect(
    () =>
      live(appId, {
        next: (releases) => setState({ kind: 'ready', releases }),
        error: (message) =>
          setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', message })),
      }),
    [live, appId],
  );
  return state;
}
