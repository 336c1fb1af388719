import type { AppRef } from '@longshore/client';
import { useCallback, useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import type { KnownCheck } from './model/domain-view.ts';

/** Looks once when the card is shown, and whenever it is asked to. Undefined where nobody can look. */
export function useDomainCheck({ projectId, appId }: AppRef) {
  const { domains } = useServices();
  const [check, setCheck] = useState<KnownCheck>();
  const look = useCallback(async () => {
    setCheck(undefined);
    const result = await domains?.check({ projectId, appId });
    setCheck(result?.ok ? result.data : 'unknown');
  }, [domains, projectId, appId]);
  useEffect(() => void look(), [look]);
  return domains && { check, look };
}
