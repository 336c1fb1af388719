import { REDEPLOY_APP, RELEASES_SUBSCRIPTION, ROLLBACK_APP } from '@longshore/contract';
import { expect, it } from 'vitest';
import type { RequestResult } from '../http/request-result.ts';
import { createReleases } from './create-releases.ts';

const denied = {
  ok: false,
  error: { status: 200, error: 'validation-failed', message: 'Release 3 is no longer stored' },
} as const;

it.each<[string, RequestResult<unknown>, object, number]>([
  ['says that it worked', answer({ id: 'app' }), { ok: true, id: 'app' }, 0],
  ['of what is not ours fails', answer(null), { ok: false, error: { error: 'not-found' } }, 1],
  ['hands on and logs why not', denied, denied, 1],
])('rolling back %s', async (_, given, outcome, logs) => {
  const { releases, requests, logged } = prepare(given);
  expect(await releases.rollBack('app', 3)).toMatchObject(outcome);
  expect(requests).toEqual([[ROLLBACK_APP, { id: 'app', release: 3 }]]);
  expect(logged).toHaveLength(logs);
});

it.each<[string, RequestResult<unknown>, object, number]>([
  ['says that it worked', { ok: true, data: { redeploy_app: { id: 'app' } } }, { ok: true }, 0],
  ['hands on and logs why not', denied, denied, 1],
])('redeploying %s', async (_, given, outcome, logs) => {
  const { releases, requests, logged } = prepare(given);
  expect(await releases.redeploy('app')).toMatchObject(outcome);
  expect(requests).toEqual([[REDEPLOY_APP, { id: 'app' }]]);
  expect(logged).toHaveLength(logs);
});

it('delivers the decoded releases of one app', () => {
  const { releases, subscriptions, deliver } = prepare(denied);
  const seen: number[][] = [];
  releases.live('app', { next: (list) => void seen.push(list.map(({ number }) => number)) });
  const made_of = { resourceTier: 't1', ports: [], container: {}, source: {} };
  deliver({ releases: [{ number: 2, made_of }, { number: 1, made_of }, {}] });
  expect(seen).toEqual([[2, 1]]);
  expect(subscriptions).toEqual([[RELEASES_SUBSCRIPTION, { appId: 'app' }]]);
});

function answer(row: unknown): RequestResult<unknown> {
  return { ok: true, data: { rollback_app: row } };
}

function prepare(given: RequestResult<unknown>) {
  const requests: unknown[] = [];
  const subscriptions: unknown[] = [];
  const logged: unknown[] = [];
  let deliver: (data: never) => void = () => undefined;
  const releases = createReleases({
    log: (...entry) => logged.push(entry),
    graphql: {
      request: async (...request) => {
        requests.push(request);
        return given as never;
      },
      subscribe: (document, variables, observer) => {
        subscriptions.push([document, variables]);
        deliver = observer.next as typeof deliver;
        return () => undefined;
      },
    },
  });
  return {
    releases,
    requests,
    subscriptions,
    logged,
    deliver: (data: unknown) => deliver(data as never),
  };
}
