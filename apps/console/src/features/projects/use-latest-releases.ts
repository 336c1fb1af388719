import type { AppResource, LatestRelease } from '@longshore/contract';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';

/** The newest release of each app, by app id; undefined before the first result. Keeps the last ones while the live query reconnects. */
export function useLatestReleases(
  apps: AppResource[],
): ReadonlyMap<string, LatestRelease> | undefined {
  const { releases } = useServices();
  const [latest, setLatest] = useState<ReadonlyMap<string, LatestRelease>>();
  // A text, so that a change of an app does not subscribe again.
  const ids = apps
    .map(({ id }) => id)
    .sort()
    .join(' ');
  useEffect(() => {
    if (ids === '') return;
    return releases.latest(ids.split(' '), {
      next: (list) => setLatest(new Map(list.map((release) => [release.appId, release]))),
    });
  }, [releases, ids]);
  return latest;
}
