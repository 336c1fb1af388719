import { useEffect, useState } from 'react';
import { useClient } from './console-environment.tsx';
import { type SignedInSession, startSession } from './signed-in-session.ts';

type Started = { session?: SignedInSession; error?: unknown };

/** Starts the session when the dashboard mounts and stops it when it unmounts. Throws if the services fail to load. */
export function useSession(userId: string): SignedInSession | undefined {
  const { services } = useClient();
  const [{ session, error }, setStarted] = useState<Started>({});
  useEffect(() => {
    let started: SignedInSession | undefined;
    let isUnmounted = false;
    services().then(
      (loaded) => {
        if (isUnmounted) return;
        started = startSession(loaded, userId);
        setStarted({ session: started });
      },
      (error: unknown) => !isUnmounted && setStarted({ error }),
    );
    return () => {
      isUnmounted = true;
      started?.stop();
    };
  }, [services, userId]);
  if (error !== undefined) throw error;
  return session;
}
