import type { Release } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';

export type ReleasesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; releases: Release[] };

/** Keeps the last releases while the live query reconnects. */
export function useReleases(appId: string): ReleasesState {
  const service = useServices().releases;
  const [state, setState] = useState<ReleasesState>({ kind: 'loading' });
  useEffect(
    () =>
      service.live(appId, {
        next: (releases) => setState({ kind: 'ready', releases }),
        error: ({ message }) =>
          setState((before) => (before.kind === 'ready' ? before : { kind: 'failed', message })),
      }),
    [service, appId],
  );
  return state;
}
