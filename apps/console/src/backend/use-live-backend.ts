import { useEffect, useState } from 'react';
import type { LiveBackend } from './backend.ts';
import { useBackend } from './backend-context.tsx';

type Opened = { live?: LiveBackend; failure?: unknown };

/** Opened with the dashboard, stopped with it. Throws what kept it from opening. */
export function useLiveBackend(userId: string): LiveBackend | undefined {
  const { goLive } = useBackend();
  const [{ live, failure }, setOpened] = useState<Opened>({});
  useEffect(() => {
    let isLeft = false;
    const opening = goLive(userId);
    opening.then(
      (live) => !isLeft && setOpened({ live }),
      (failure: unknown) => !isLeft && setOpened({ failure }),
    );
    return () => {
      isLeft = true;
      opening.then(
        ({ stop }) => stop(),
        () => undefined,
      );
    };
  }, [goLive, userId]);
  if (failure !== undefined) throw failure;
  return live;
}
