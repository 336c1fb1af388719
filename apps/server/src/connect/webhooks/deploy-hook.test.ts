import { randomUUID } from 'node:crypto';
import {
  chartNameOf,
  type DeployHook,
  decodeReleaseCause,
  NO_UPLOAD_YET,
  type Session,
} from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { appValues } from '../../../test/values.ts';
import { ANONYMOUS_MESSAGE } from '../../apps/quota.ts';
import type { Isolation } from '../../sandbox/isolation.ts';

let backend: Backend;
let isolation: Isolation = { kind: 'isolated' };
let ada: Session;
let eve: Session;
let appId: string;

beforeAll(async () => {
  const deployPolicy = { isolation: async () => isolation };
  backend = await startBackend({ connect: { rateLimits: true }, deployPolicy });
  // The operator, who may always deploy.
  await backend.signUp();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
});
beforeEach(async () => {
  appId = await createApp({});
});
afterAll(() => stopWithoutErrors(backend));

async function createApp(change: object): Promise<string> {
  const row = {
    user_id: ada.user.id,
    chart_name: chartNameOf('app'),
    chart_version: '0.0',
    values: JSON.stringify({ ...appValues(randomUUID()), ...change }),
  };
  const insertion = backend.db.insertInto('public.resources').values(row).returning('id');
  return (await insertion.executeTakeFirstOrThrow()).id;
}

function manage(method: 'GET' | 'POST' | 'DELETE', { id = appId, as = ada } = {}) {
  const path = `/v1/connect/apps/${id}/deploy-hook`;
  return backend.request<DeployHook>(path, { method, headers: bearer(as) });
}

async function createHook(id = appId): Promise<string> {
  const { pathname, search } = new URL((await manage('POST', { id })).body.url ?? '');
  return pathname + search;
}

const call = (path: string, method = 'POST') => backend.request(path, { method });

function app(id = appId) {
  return backend.db
    .selectFrom('public.resources')
    .select(['generation', 'cause', 'values', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

const setApp = (change: { deleted?: boolean; values?: string; pin?: string }) =>
  backend.db.updateTable('public.resources').set(change).where('id', '=', appId).execute();

describe('a deploy hook', () => {
  it('has a secret URL, which its owner can read again until it is replaced or removed', async () => {
    expect((await manage('GET')).body).toEqual({ url: null });
    const { body } = await manage('POST');
    const url = `http://localhost:1337/v1/connect/deploy-hooks/${appId}?key=`;
    expect(body.url?.startsWith(url)).toBe(true);
    expect(body.url?.slice(url.length)).toMatch(/^[\w-]{43}$/);
    expect((await manage('GET')).body).toEqual(body);
    const replaced = (await manage('POST')).body;
    expect(replaced.url).not.toBe(body.url);
    expect((await manage('GET')).body).toEqual(replaced);
    for (let count = 0; count < 2; count += 1)
      expect((await manage('DELETE')).body).toEqual({ url: null });
    expect((await manage('GET')).body).toEqual({ url: null });
  });

  it.each([
    ['a repository', {}],
    ['an image', { source: { enabled: false, url: '', ref: '', secretName: '' } }],
    [
      'an upload',
      { source: { enabled: true, url: `upload:${'a'.repeat(64)}`, ref: 'main', secretName: '' } },
    ],
    [
      'an upload to come',
      { source: { enabled: true, url: NO_UPLOAD_YET, ref: 'main', secretName: '' }, instances: 0 },
    ],
  ])('redeploys an app from %s', async (_, change) => {
    const id = await createApp(change);
    const before = await app(id);
    const { status, body } = await call(await createHook(id));
    expect([status, Object.keys(body)]).toEqual([202, ['message']]);
    const after = await app(id);
    expect(Number(after.generation)).toBe(Number(before.generation) + 1);
    expect(after.values).toEqual(before.values);
    expect(decodeReleaseCause(after.cause)).toEqual({ kind: 'deploy-hook' });
  });

  it('ignores what is sent with the request', async () => {
    const url = await createHook();
    const sent = { method: 'POST', body: '{"ref":', headers: { 'content-type': 'text/plain' } };
    expect((await backend.request(`${url}&ref=next`, sent)).status).toBe(202);
  });

  it('does not wake a hibernated app', async () => {
    const values = { ...appValues(randomUUID()), instances: 0 };
    await setApp({ values: JSON.stringify(values) });
    const { status, body } = await call(await createHook());
    expect([status, body]).toEqual([202, { message: 'The app is redeployed when it wakes' }]);
    expect((await app()).values).toMatchObject({ instances: 0 });
  });

  it('is in the security log of its owner', async () => {
    await createHook();
    await manage('DELETE');
    const { body } = await backend.request<{ events: { kind: string; details: object }[] }>(
      '/v1/auth/events',
      { headers: bearer(ada) },
    );
    const details = { app: appId, name: 'hello' };
    expect(body.events.slice(0, 2)).toMatchObject([
      { kind: 'deploy-hook-removed', details },
      { kind: 'deploy-hook-created', details },
    ]);
  });

  it('is stored encrypted', async () => {
    const [, key = ''] = (await createHook()).split('key=');
    const { rows } = await backend.pool.query('select * from connect.secrets');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('does not deploy on GET, and does not say whether the URL is valid', async () => {
    const url = await createHook();
    const before = await app();
    const responses = await Promise.all([
      call(url, 'GET'),
      call(`${url}x`, 'GET'),
      call(`/v1/connect/deploy-hooks/${randomUUID()}`, 'GET'),
    ]);
    for (const { status, headers, body } of responses) {
      expect([status, headers.get('allow'), body]).toEqual([405, 'POST', responses[0].body]);
    }
    expect((await call(url, 'HEAD')).status).toBe(405);
    expect(await app()).toEqual(before);
  });
});

describe('nothing is deployed, and the response is that of an unknown path, for', () => {
  it.each<[string, (url: string) => Promise<string>]>([
    ['another key', async (url) => url.replace(/key=.*/, `key=${'a'.repeat(43)}`)],
    ['a key that continues', async (url) => `${url}a`],
    ['a key that is cut off', async (url) => url.slice(0, -1)],
    ['no key', async (url) => url.replace(/\?.*/, '')],
    ['an empty key', async (url) => url.replace(/key=.*/, 'key=')],
    ['an unknown app', async (url) => url.replace(appId, randomUUID())],
    ['an invalid app id', async (url) => url.replace(appId, 'app')],
    ['the key of another app', async (url) => url.replace(appId, await createApp({}))],
    [
      'a replaced URL',
      async (url) => {
        await createHook();
        return url;
      },
    ],
    [
      'a removed hook',
      async (url) => {
        await manage('DELETE');
        return url;
      },
    ],
    [
      'a deleted app',
      async (url) => {
        await setApp({ deleted: true });
        return url;
      },
    ],
    [
      'an app that was deleted and restored',
      async (url) => {
        for (const deleted of [true, false]) await setApp({ deleted });
        return url;
      },
    ],
  ])('%s', async (_, change) => {
    const url = await change(await createHook());
    const before = await app();
    const unknownPath = await backend.post('/v1/connect/nothing', {});
    const { status, body } = await call(url);
    expect([status, body]).toEqual([404, unknownPath.body]);
    expect(await app()).toEqual(before);
  });
});

describe('the owner of the app', () => {
  const setAda = (change: { disabled?: boolean; is_anonymous?: boolean }) =>
    backend.db.updateTable('auth.users').set(change).where('id', '=', ada.user.id).execute();

  it.each<[string, string, unknown, (isOver: boolean) => unknown]>([
    [
      'must not be disabled',
      'account-disabled',
      'The account that owns the app is disabled',
      (isOver) => setAda({ disabled: !isOver }),
    ],
    [
      'must not be anonymous',
      'deploy-refused',
      ANONYMOUS_MESSAGE,
      (isOver) => setAda({ is_anonymous: !isOver }),
    ],
    [
      'must be allowed to deploy',
      'deploy-refused',
      expect.stringContaining('Run Longshore as root.'),
      (isOver) => {
        isolation = isOver
          ? { kind: 'isolated' }
          : { kind: 'not-isolated', missing: ['Run Longshore as root.'], packages: [] };
      },
    ],
  ])('%s', async (_, error, message, set) => {
    const url = await createHook();
    const before = await app();
    await set(false);
    const refused = await call(url);
    await set(true);
    expect(refused).toMatchObject({ status: 403, body: { error, message } });
    expect(await app()).toEqual(before);
    expect((await call(url)).status).toBe(202);
  });
});

describe('another user', () => {
  it.each(['GET', 'POST', 'DELETE'] as const)('finds no app with %s', async (method) => {
    const url = await createHook();
    expect(await manage(method, { as: eve })).toMatchObject({
      status: 404,
      body: { message: 'App not found' },
    });
    expect((await call(url)).status).toBe(202);
  });
});

it.each(['GET', 'POST', 'DELETE'])('requires an access token for %s', async (method) => {
  const path = `/v1/connect/apps/${appId}/deploy-hook`;
  expect((await backend.request(path, { method })).status).toBe(401);
});

it('limits the calls of each URL', async () => {
  const [url, other] = [await createHook(), await createHook(await createApp({}))];
  for (let count = 0; count < 10; count += 1) {
    expect((await call(url)).status).toBe(202);
    expect((await call(`${url}a`)).status).toBeOneOf([404, 429]);
  }
  const before = await app();
  const refused = await call(url);
  expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await app()).toEqual(before);
  expect((await call(other)).status).toBe(202);
  backend.clock.ahead += 30_000;
  expect((await call(url)).status).toBe(202);
});
