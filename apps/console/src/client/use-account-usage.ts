import type { AccountUsage } from '@longshore/contract';
import { useCallback, useEffect, useRef } from 'react';
import { useResources, useServices } from './session-context.tsx';
import { useQuery } from './use-query.ts';

/** What the account uses, and its limits. Loaded again whenever an app of the user changes, because that changes the usage. */
export function useAccountUsage() {
  const { usage } = useServices();
  const resources = useResources();
  const load = useCallback(
    async (signal: AbortSignal) =>
      usage === undefined ? ({ ok: true, data: undefined } as const) : await usage.load({ signal }),
    [usage],
  );
  const { state, reload } = useQuery<AccountUsage | undefined>(load);
  const loadedFor = useRef(resources);
  useEffect(() => {
    if (loadedFor.current === resources) return;
    loadedFor.current = resources;
    reload();
  }, [resources, reload]);
  return { state, reload };
}
