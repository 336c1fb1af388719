import { useMemo } from 'react';
import { useResources } from '../../client/session-context.tsx';
import { type OfferedApp, offeredApps } from './model/variable-references.ts';

/** The apps of a project that variables can refer to. `except`: the app whose variables are edited. */
export function useOfferedApps(projectId: string, except?: string): OfferedApp[] {
  const state = useResources();
  return useMemo(
    () => (state.kind === 'ready' ? offeredApps(state.resources, { projectId, except }) : []),
    [state, projectId, except],
  );
}
