import {
  APP_STATE_SUBSCRIPTION,
  CANCEL_BUILD,
  LATEST_RELEASES_SUBSCRIPTION,
  type ObservedState,
  REDEPLOY_APP,
  RELEASES_SUBSCRIPTION,
  RESTART_APP,
  RESUME_APP,
  ROLLBACK_APP,
} from '@longshore/contract';
import { expect, it } from 'vitest';
import type { RequestResult } from '../http/request-result.ts';
import { createReleases } from './create-releases.ts';

const denied = {
  ok: false,
  error: { status: 200, error: 'validation-failed', message: 'Release 3 is no longer stored' },
} as const;

it.each<[string, RequestResult<unknown>, object, number]>([
  ['succeeds', rollbackResult({ id: 'app' }), { ok: true, id: 'app' }, 0],
  [
    'fails for an app of another user',
    rollbackResult(null),
    { ok: false, error: { error: 'not-found' } },
    1,
  ],
  ['returns and logs the error', denied, denied, 1],
])('rolling back %s', async (_, result, outcome, logs) => {
  const { releases, requests, logged } = prepare(result);
  expect(await releases.rollBack('app', 3)).toMatchObject(outcome);
  expect(requests).toEqual([[ROLLBACK_APP, { id: 'app', release: 3 }]]);
  expect(logged).toHaveLength(logs);
});

it.each<[string, RequestResult<unknown>, object, number]>([
  ['succeeds', { ok: true, data: { redeploy_app: { id: 'app' } } }, { ok: true }, 0],
  ['returns and logs the error', denied, denied, 1],
])('redeploying %s', async (_, result, outcome, logs) => {
  const { releases, requests, logged } = prepare(result);
  expect(await releases.redeploy('app')).toMatchObject(outcome);
  expect(requests).toEqual([[REDEPLOY_APP, { id: 'app' }]]);
  expect(logged).toHaveLength(logs);
});

it.each<[string, RequestResult<unknown>, object, number]>([
  ['succeeds', { ok: true, data: { resume_app: { id: 'app' } } }, { ok: true }, 0],
  ['returns and logs the error', denied, denied, 1],
])('resuming %s', async (_, result, outcome, logs) => {
  const { releases, requests, logged } = prepare(result);
  expect(await releases.resume('app')).toMatchObject(outcome);
  expect(requests).toEqual([[RESUME_APP, { id: 'app' }]]);
  expect(logged).toHaveLength(logs);
});

it.each<[string, RequestResult<unknown>, object, number]>([
  ['succeeds', { ok: true, data: { cancel_build: { id: 'app' } } }, { ok: true }, 0],
  ['returns and logs the error', denied, denied, 1],
])('cancelling a build %s', async (_, result, outcome, logs) => {
  const { releases, requests, logged } = prepare(result);
  expect(await releases.cancelBuild('app', 3)).toMatchObject(outcome);
  expect(requests).toEqual([[CANCEL_BUILD, { id: 'app', release: 3 }]]);
  expect(logged).toHaveLength(logs);
});

it.each<[string, RequestResult<unknown>, object, number]>([
  ['succeeds', { ok: true, data: { restart_app: { id: 'app' } } }, { ok: true }, 0],
  ['returns and logs the error', denied, denied, 1],
])('restarting %s', async (_, result, outcome, logs) => {
  const { releases, requests, logged } = prepare(result);
  expect(await releases.restart('app')).toMatchObject(outcome);
  expect(requests).toEqual([[RESTART_APP, { id: 'app' }]]);
  expect(logged).toHaveLength(logs);
});

it('delivers which release serves and when the next attempt is, and neither for a deleted app', () => {
  const { releases, subscriptions, deliver } = prepare(denied);
  const seen: ObservedState[] = [];
  releases.observe('app', { next: (state) => void seen.push(state) });
  const serving = { release: 6, logName: 'app-3f2a91-2', hosts: [] };
  const retry = { kind: 'restart', at: '2025-01-01T00:00:10Z' };
  deliver({ resources_by_pk: { serving, retry } });
  deliver({ resources_by_pk: null });
  expect(seen).toEqual([
    { serving, retry },
    { serving: undefined, retry: undefined },
  ]);
  expect(subscriptions).toEqual([[APP_STATE_SUBSCRIPTION, { id: 'app' }]]);
});

it('delivers the newest release of each app', () => {
  const { releases, subscriptions, deliver } = prepare(denied);
  const seen: string[][] = [];
  releases.latest(['a1', 'a2'], { next: (list) => void seen.push(list.map(({ appId }) => appId)) });
  deliver({ releases: [{ app_id: 'a1', number: 2 }, {}, { app_id: 'a2', number: 1 }] });
  expect(seen).toEqual([['a1', 'a2']]);
  expect(subscriptions).toEqual([[LATEST_RELEASES_SUBSCRIPTION, { appIds: ['a1', 'a2'] }]]);
});

it('delivers the decoded releases of one app', () => {
  const { releases, subscriptions, deliver } = prepare(denied);
  const seen: number[][] = [];
  releases.live(
    { appId: 'app', limit: 20 },
    { next: (list) => void seen.push(list.map(({ number }) => number)) },
  );
  const made_of = { resourceTier: 't1', ports: [], container: {}, source: {} };
  deliver({ releases: [{ number: 2, made_of }, { number: 1, made_of }, {}] });
  expect(seen).toEqual([[2, 1]]);
  expect(subscriptions).toEqual([[RELEASES_SUBSCRIPTION, { appId: 'app', limit: 20 }]]);
});

function rollbackResult(row: unknown): RequestResult<unknown> {
  return { ok: true, data: { rollback_app: row } };
}

function prepare(result: RequestResult<unknown>) {
  const requests: unknown[] = [];
  const subscriptions: unknown[] = [];
  const logged: unknown[] = [];
  let deliver: (data: never) => void = () => undefined;
  const releases = createReleases({
    log: (...entry) => logged.push(entry),
    graphql: {
      request: async (...request) => {
        requests.push(request);
        return result as never;
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
