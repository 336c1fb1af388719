import { decodeReleases, RELEASES_SUBSCRIPTION, ROLLBACK_APP } from '@longshore/contract';
import type { Graphql } from '../graphql/graphql.ts';
import type { Log } from '../ports.ts';
import { type Changed, changedRow } from '../resources/changed-row.ts';
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
    async rollBack(appId, release) {
      const variables = { id: appId, release };
      const answer = await graphql.request<{ rollback_app: Changed }>(ROLLBACK_APP, variables);
      const result = answer.ok ? changedRow(answer.data.rollback_app) : answer;
      if (!result.ok) log('roll back failed', result.error);
      return result;
    },
  };
}
