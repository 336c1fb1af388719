import type { ObservedState } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';

/** Which release serves and when a failed app is tried again. Keeps the last state while the live query reconnects. */
export function useObservedState(appId: string): ObservedState {
  const { releases } = useServices();
  const [state, setState] = useState<ObservedState>({ serving: undefined, retry: undefined });
  useEffect(() => releases.observe(appId, { next: setState }), [releases, appId]);
  return state;
}
