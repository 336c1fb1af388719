import { useEffect, useState } from 'react';
import { useBackend } from '../backend/backend-context.tsx';

/** The server's time, told again every `everyMs` while the component is shown. */
export function useNow(everyMs: number): number {
  const clock = useBackend();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs]);
  return now;
}
