import { useCallback, useEffect, useState } from 'react';
import type { LogsTarget } from '../../backend/backend.ts';
import { useCheckDomain } from '../../backend/live-context.tsx';
import type { KnownCheck } from './model/domain-view.ts';

/** Looks once when the card is shown, and whenever it is asked to. Undefined where nobody can look. */
export function useDomainCheck({ projectId, appId }: LogsTarget) {
  const checkDomain = useCheckDomain();
  const [check, setCheck] = useState<KnownCheck>();
  const look = useCallback(async () => {
    setCheck(undefined);
    setCheck((await checkDomain?.({ projectId, appId })) ?? 'unknown');
  }, [checkDomain, projectId, appId]);
  useEffect(() => void look(), [look]);
  return checkDomain && { check, look };
}
