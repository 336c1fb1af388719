import {
  CANCEL_BUILD,
  decodeReleases,
  REDEPLOY_APP,
  RELEASES_SUBSCRIPTION,
  type Release,
  ROLLBACK_APP,
} from '@longshore/contract';
import type { Graphql, LiveObserver } from '../graphql/graphql.ts';
import type { Log } from '../ports.ts';
import { type Changed, changedRow } from '../resources/changed-row.ts';
import type { MutationResult } from '../resources/resources.ts';

export type Releases = {
  /** The latest releases of an app, newest first, now and after every change. */
  live(appId: string, observer: LiveObserver<Release[]>): () => void;
  /** Builds and deploys the same values again; their branch or tag may have moved. */
  redeploy(appId: string): Promise<MutationResult>;
  /** Cancels a release that is in progress. */
  cancelBuild(appId: string, release: number): Promise<MutationResult>;
  /** Deploys the values of an earlier release, at the same commit or digest. */
  rollBack(appId: string, release: number): Promise<MutationResult>;
};

export type ReleasesDeps = { graphql: Pick<Graphql, 'request' | 'subscribe'>; log: Log };

export function createReleases({ graphql, log }: ReleasesDeps): Releases {
  return {
    live: (appId, observer) =>
      graphql.subscribe<{ releases: unknown }>(
        RELEASES_SUBSCRIPTION,
        { appId },
        { ...observer, next: ({ releases }) => observer.next(decodeReleases(releases)) },
      ),
    async redeploy(appId) {
      const result = await graphql.request<{ redeploy_app: Changed }>(REDEPLOY_APP, { id: appId });
      return logged('redeploy failed', result.ok ? changedRow(result.data.redeploy_app) : result);
    },
    async cancelBuild(appId, release) {
      const variables = { id: appId, release };
      const result = await graphql.request<{ cancel_build: Changed }>(CANCEL_BUILD, variables);
      return logged('cancel failed', result.ok ? changedRow(result.data.cancel_build) : result);
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
