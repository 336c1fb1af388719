import { useEffect, useState } from 'react';
import { useClient } from './console-environment.tsx';
import { type SignedInSession, startSession } from './signed-in-session.ts';

type Started = { session?: SignedInSession; error?: unknown };

/** Starts the session when the dashboard is shown and stops it when it is left. Throws if the services fail to load. */
export function useSession(userId: string): SignedInSession | undefined {
  const { services } = useClient();
  const [{ session, error }, setStarted] = useState<Started>({});
  useEffect(() => {
    let started: SignedInSession | undefined;
    let hasLeft = false;
    services().then(
      (loaded) => {
        if (hasLeft) return;
        started = startSession(loaded, userId);
        setStarted({ session: started });
      },
      (error: unknown) => !hasLeft && setStarted({ error }),
    );
    return () => {
      hasLeft = true;
      started?.stop();
    };
  }, [services, userId]);
  if (error !== undefined) throw error;
  return session;
}
