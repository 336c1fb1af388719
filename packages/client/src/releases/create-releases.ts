import {
  decodeReleases,
  REDEPLOY_APP,
  RELEASES_SUBSCRIPTION,
  ROLLBACK_APP,
} from '@longshore/contract';
import type { Graphql } from '../graphql/graphql.ts';
import type { Log } from '../ports.ts';
import { type Changed, changedRow } from '../resources/changed-row.ts';
import type { MutationResult } from '../resources/resources.ts';
import type { Releases } from './releases.ts';

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
      const answer = await graphql.request<{ redeploy_app: Changed }>(REDEPLOY_APP, { id: appId });
      return told('redeploy failed', answer.ok ? changedRow(answer.data.redeploy_app) : answer);
    },
    async rollBack(appId, release) {
      const variables = { id: appId, release };
      const answer = await graphql.request<{ rollback_app: Changed }>(ROLLBACK_APP, variables);
      return told('roll back failed', answer.ok ? changedRow(answer.data.rollback_app) : answer);
    },
  };

  function told(failure: string, result: MutationResult): MutationResult {
    if (!result.ok) log(failure, result.error);
    return result;
  }
}
