import { useEffect, useState } from 'react';
import type { LiveBackend } from '../lib/backend.ts';
import { useBackend } from '../lib/backend-context.tsx';

/** Opened with the dashboard, stopped with it. */
export function useLiveBackend(userId: string): LiveBackend | undefined {
  const { goLive } = useBackend();
  const [live, setLive] = useState<LiveBackend>();
  useEffect(() => {
    const opened = goLive(userId);
    setLive(opened);
    return () => opened.stop();
  }, [goLive, userId]);
  return live;
}
