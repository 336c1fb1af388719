import {
  DELETE_RESOURCE,
  INSERT_RESOURCE,
  UPDATE_RESOURCE,
  UPDATE_UNCHANGED_RESOURCE,
} from '@longshore/contract';
import { buildAppValues, buildUser, createFakeAuth } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { RequestResult } from '../http/request-result.ts';
import { createResources } from './create-resources.ts';
import type { Resources } from './resources.ts';

const userId = buildUser().id;
const values = buildAppValues();
const AT = '2025-01-01T00:00:00.123456+00:00';
const inserted = { ok: true, data: { insert_resources_one: { id: 'new' } } } as const;
const updated = { ok: true, data: { update_resources_by_pk: { id: 'old' } } } as const;
const missing = { ok: true, data: { update_resources_by_pk: null } } as const;
const denied = {
  ok: false,
  error: { status: 200, error: 'permission-error', message: 'No' },
} as const;

describe('resource mutations', () => {
  it.each<[string, (resources: Resources) => Promise<unknown>, RequestResult<unknown>, unknown[]]>([
    [
      'create a project',
      (it) => it.createProject({ name: 'Harbour' }),
      inserted,
      [
        INSERT_RESOURCE,
        {
          userId,
          chartName: 'project',
          chartVersion: '0.0',
          values: { userId, name: 'Harbour' },
        },
      ],
    ],
    [
      'create an app',
      (it) => it.createApp(values),
      inserted,
      [INSERT_RESOURCE, { userId, chartName: 'longshore-app', chartVersion: '0.0', values }],
    ],
    [
      'update a project',
      (it) => it.updateProject('old', { name: 'Port' }),
      updated,
      [UPDATE_RESOURCE, { id: 'old', values: { userId, name: 'Port' } }],
    ],
    [
      'update an app',
      (it) => it.updateApp('old', values),
      updated,
      [UPDATE_RESOURCE, { id: 'old', values }],
    ],
    [
      'update an app that has not changed',
      (it) => it.updateApp('old', values, AT),
      { ok: true, data: { update_resources: { returning: [{ id: 'old' }] } } },
      [UPDATE_UNCHANGED_RESOURCE, { id: 'old', values, updatedAt: AT }],
    ],
    [
      'delete a resource',
      (it) => it.deleteResource('old'),
      updated,
      [DELETE_RESOURCE, { id: 'old' }],
    ],
  ])('%s', async (_, mutate, result, request) => {
    const { resources, requests, logged } = prepare(result);
    expect(await mutate(resources)).toEqual({ ok: true, id: result === inserted ? 'new' : 'old' });
    expect(requests).toEqual([request]);
    expect(logged).toEqual([]);
  });

  it('log and return the error', async () => {
    const { resources, logged } = prepare(denied);
    expect(await resources.updateApp('old', values)).toEqual(denied);
    expect(logged).toEqual([['update app failed', denied.error]]);
  });

  it('fail with a conflict for an app that has changed', async () => {
    const { resources, logged } = prepare({
      ok: true,
      data: { update_resources: { returning: [] } },
    });
    const error = { status: 409, error: 'conflict', message: expect.any(String) };
    expect(await resources.updateApp('old', values, AT)).toEqual({ ok: false, error });
    expect(logged).toEqual([['update app failed', error]]);
  });

  it('fail for a resource that does not exist or belongs to another user', async () => {
    const { resources } = prepare(missing);
    expect(await resources.deleteResource('foreign')).toMatchObject({
      ok: false,
      error: { error: 'not-found' },
    });
  });

  it('send nothing when no user is signed in', async () => {
    const { resources, requests, auth } = prepare(inserted);
    auth.signOut();
    expect(await resources.createProject({ name: 'Harbour' })).toMatchObject({
      ok: false,
      error: { error: 'unauthenticated-user' },
    });
    expect(requests).toEqual([]);
  });
});

describe('the live list', () => {
  it('is decoded, without rows of unknown kinds', () => {
    const { resources, deliver } = prepare(inserted);
    const lists: unknown[] = [];
    resources.live(userId, { next: (list) => lists.push(list.map(({ id, kind }) => [id, kind])) });
    const row = { user_id: userId, values: {}, chart_version: '0.0' };
    deliver({
      resources: [
        { ...row, id: 'p', chart_name: 'project' },
        { ...row, id: 'a', chart_name: 'longshore-app' },
        { ...row, id: 'x', chart_name: 'other' },
      ],
    });
    expect(lists).toEqual([
      [
        ['p', 'project'],
        ['a', 'app'],
      ],
    ]);
  });
});

function prepare(result: RequestResult<unknown>) {
  const auth = createFakeAuth();
  const requests: unknown[] = [];
  const logged: unknown[] = [];
  let deliver: (data: never) => void = () => undefined;
  const resources = createResources({
    auth,
    log: (...entry) => logged.push(entry),
    graphql: {
      request: async (...request) => {
        requests.push(request);
        return result as never;
      },
      subscribe: (_document, _variables, observer) => {
        deliver = observer.next as typeof deliver;
        return () => undefined;
      },
    },
  });
  return { resources, auth, requests, logged, deliver: (data: unknown) => deliver(data as never) };
}
