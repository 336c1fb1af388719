import type { IsolationStatus } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from './session-context.tsx';

/** Undefined until it is known. A failed request is ignored: the server refuses what the user may not do. */
export function useIsolation(): IsolationStatus | undefined {
  const { isolation } = useServices();
  const [status, setStatus] = useState<IsolationStatus>();
  useEffect(() => {
    const controller = new AbortController();
    void isolation?.status(controller).then((result) => {
      if (result.ok && !controller.signal.aborted) setStatus(result.data);
    });
    return () => controller.abort();
  }, [isolation]);
  return status;
}
