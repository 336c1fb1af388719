import { useEffect, useState } from 'react';
import { useEnvironment } from '../client/console-environment.tsx';

/** The server's time, updated every `everyMs` while the component is shown. */
export function useNow(everyMs: number): number {
  const environment = useEnvironment();
  const [now, setNow] = useState(() => environment.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(environment.now()), everyMs);
    return () => clearInterval(timer);
  }, [environment, everyMs]);
  return now;
}
