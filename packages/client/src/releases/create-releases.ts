import {
  APP_STATE_SUBSCRIPTION,
  CANCEL_BUILD,
  CLEAR_BUILD_CACHE,
  decodeLatestReleases,
  decodeObservedState,
  decodeReleases,
  LATEST_RELEASES_SUBSCRIPTION,
  type LatestRelease,
  type ObservedState,
  REDEPLOY_APP,
  RELEASES_SUBSCRIPTION,
  RESTART_APP,
  RESUME_APP,
  type Release,
  ROLLBACK_APP,
} from '@longshore/contract';
import type { Graphql, LiveObserver } from '../graphql/graphql.ts';
import type { Log } from '../ports.ts';
import { type Changed, changedRow } from '../resources/changed-row.ts';
import type { MutationResult } from '../resources/resources.ts';

export type LatestOfApp = { appId: string; limit: number };

export type Releases = {
  /** The latest releases of an app, newest first, now and after every change. */
  live(latest: LatestOfApp, observer: LiveObserver<Release[]>): () => void;
  /** The newest release of each of these apps, now and after every change. */
  latest(appIds: string[], observer: LiveObserver<LatestRelease[]>): () => void;
  /** Which release of an app serves and when a failed one is tried again, now and after every change. */
  observe(appId: string, observer: LiveObserver<ObservedState>): () => void;
  /** Ends the back-off of a failing app: it is tried again at once. */
  restart(appId: string): Promise<MutationResult>;
  /** Builds and deploys the same values again; their branch or tag may have moved. */
  redeploy(appId: string): Promise<MutationResult>;
  /** Makes the next build start without a cache. */
  clearBuildCache(appId: string): Promise<MutationResult>;
  /** Cancels a release that is in progress. */
  cancelBuild(appId: string, release: number): Promise<MutationResult>;
  /** Deploys the values of an earlier release, and stays at its commit or digest. */
  rollBack(appId: string, release: number): Promise<MutationResult>;
  /** Follows the branch, tag or image name again after a rollback, and deploys what it names now. */
  resume(appId: string): Promise<MutationResult>;
};

export type ReleasesDeps = { graphql: Pick<Graphql, 'request' | 'subscribe'>; log: Log };

export function createReleases({ graphql, log }: ReleasesDeps): Releases {
  return {
    live: ({ appId, limit }, observer) =>
      graphql.subscribe<{ releases: unknown }>(
        RELEASES_SUBSCRIPTION,
        { appId, limit },
        { ...observer, next: ({ releases }) => observer.next(decodeReleases(releases)) },
      ),
    latest: (appIds, observer) =>
      graphql.subscribe<{ releases: unknown }>(
        LATEST_RELEASES_SUBSCRIPTION,
        { appIds },
        { ...observer, next: ({ releases }) => observer.next(decodeLatestReleases(releases)) },
      ),
    observe: (id, observer) =>
      graphql.subscribe<{ resources_by_pk: unknown }>(
        APP_STATE_SUBSCRIPTION,
        { id },
        { ...observer, next: (data) => observer.next(decodeObservedState(data.resources_by_pk)) },
      ),
    async restart(appId) {
      const result = await graphql.request<{ restart_app: Changed }>(RESTART_APP, { id: appId });
      return logged('restart failed', result.ok ? changedRow(result.data.restart_app) : result);
    },
    async redeploy(appId) {
      const result = await graphql.request<{ redeploy_app: Changed }>(REDEPLOY_APP, { id: appId });
      return logged('redeploy failed', result.ok ? changedRow(result.data.redeploy_app) : result);
    },
    async clearBuildCache(appId) {
      const result = await graphql.request<{ clear_build_cache: Changed }>(CLEAR_BUILD_CACHE, {
        id: appId,
      });
      const outcome = result.ok ? changedRow(result.data.clear_build_cache) : result;
      return logged('clearing the build cache failed', outcome);
    },
    async cancelBuild(appId, release) {
      const variables = { id: appId, release };
      const result = await graphql.request<{ cancel_build: Changed }>(CANCEL_BUILD, variables);
      return logged('cancel failed', result.ok ? changedRow(result.data.cancel_build) : result);
    },
    async resume(appId) {
      const result = await graphql.request<{ resume_app: Changed }>(RESUME_APP, { id: appId });
      return logged('resume failed', result.ok ? changedRow(result.data.resume_app) : result);
    },
    async rollBack(appId, release) {
      const variables = { id: appId, release };
      const result = await graphql.request<{ rollback_app: Changed }>(ROLLBACK_APP, variables);
      return logged('roll back failed', result.ok ? changedRow(result.data.rollback_app) : result);
    },
  };

  function logged(event: string, result: MutationResult): MutationResult {
    if (!result.ok) log(event, result.error);
    return result;
  }
}
