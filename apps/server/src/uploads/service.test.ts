import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chartNameOf, INSERT_RESOURCE, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { archiveOf, filesArchive } from '../../test/uploads/archives.ts';
import { ARCHIVE, uploadFixture, WAITING } from '../../test/uploads/upload-fixture.ts';
import { appValues } from '../../test/values.ts';

const GZIP = { 'content-type': 'application/gzip' };

let backend: Backend;
let ada: Session;
beforeAll(async () => {
  backend = await startBackend({ uploads: { maxReceivedBytes: 100_000 } });
  ada = await backend.signUp();
});
afterAll(() => stopWithoutErrors(backend));

const { insert, newApp, upload, beginUpload, rowOf, archivesOf, newPat } = uploadFixture(() => ({
  backend,
  user: ada,
}));

describe('POST /v1/apps/{id}/source', () => {
  it('makes the archive the source of the app, and starts an app that waited for it', async () => {
    const appId = await newApp();
    const { status, body } = await upload(appId, { ...bearer(ada), ...GZIP });
    expect({ status, body }).toEqual({
      status: 200,
      body: { digest: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: ARCHIVE.length, files: 1 },
    });
    const { values, status: rowStatus, cause } = await rowOf(appId);
    expect(values).toMatchObject({
      instances: 1,
      source: { enabled: true, url: `upload:${body.digest}`, ref: body.digest, secretName: '' },
    });
    expect(rowStatus).toBe('syncing');
    expect(cause).toMatchObject({
      kind: 'upload',
      bytes: ARCHIVE.length,
      userId: ada.user.id,
    });
    expect(await archivesOf(appId)).toEqual([`${body.digest}.tar.gz`]);
  });

  it('accepts a personal access token, records its name, and leaves no session', async () => {
    const appId = await newApp();
    const sessions = () =>
      backend.db
        .selectFrom('auth.refresh_tokens')
        .select('id')
        .where('user_id', '=', ada.user.id)
        .execute();
    const token = await newPat(ada);
    const before = await sessions();
    const { status } = await upload(appId, { authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    expect((await rowOf(appId)).cause).toMatchObject({ kind: 'upload', token: 'laptop' });
    expect(await sessions()).toEqual(before);
  });

  it('accepts the session of a personal access token', async () => {
    const personalAccessToken = await newPat(ada);
    const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/pat', {
      personalAccessToken,
    });
    expect((await upload(await newApp(), bearer(body.session))).status).toBe(200);
  });

  it('deploys the same archive again', async () => {
    const appId = await newApp();
    for (const redeploys of ['0', '1']) {
      await upload(appId, bearer(ada));
      expect((await rowOf(appId)).redeploys).toBe(redeploys);
    }
  });

  it('replaces a repository', async () => {
    const source = { enabled: true, url: 'https://example.com/a.git', ref: 'main' };
    const appId = await newApp(ada, { source });
    await upload(appId, bearer(ada));
    expect((await rowOf(appId)).values.source.url).toMatch(/^upload:[0-9a-f]{64}$/);
  });

  it('leaves a hibernated app hibernated', async () => {
    const source = { enabled: true, url: 'https://example.com/a.git', ref: 'main' };
    const appId = await newApp(ada, { source, instances: 0 });
    expect((await upload(appId, bearer(ada))).status).toBe(200);
    expect((await rowOf(appId)).values.instances).toBe(0);
  });

  it('keeps the archives of releases that can be restored, and removes others', async () => {
    const appId = await newApp();
    const digests: string[] = [];
    for (const text of ['1', '2', '3', '4']) {
      const { body } = await upload(appId, bearer(ada), filesArchive({ 'index.html': text }));
      digests.push(String(body.digest));
      if (text === '4') break;
      const madeOf = JSON.stringify({ ...(await rowOf(appId)).values, env: undefined });
      await backend.pool.query(
        `insert into deploy.releases (app_id, number, generation, wish, made_of, env, outcome)
         values ($1, $2, 1, '', $3, '{}', $4)`,
        [appId, text, madeOf, text === '2' ? 'superseded' : 'live'],
      );
    }
    const kept = [0, 2, 3].map((at) => `${digests[at]}.tar.gz`);
    expect((await archivesOf(appId)).sort()).toEqual(kept.sort());
  });

  it.each<[string, () => Promise<Record<string, string>>, number]>([
    ['no token', async () => ({}), 401],
    ['an unknown personal access token', async () => token(randomUUID()), 401],
    ['a forged access token', async () => token('a.b.c'), 401],
    ['the token of another user', async () => token(await newPat(await backend.signUp())), 404],
    ['the session of another user', async () => bearer(await backend.signUp()), 404],
    ['an ended session', endedSession, 401],
    ['an expired personal access token', expiredPat, 401],
  ])('refuses %s and changes nothing', async (_, headersOf, status) => {
    const appId = await newApp();
    const before = await rowOf(appId);
    const response = await upload(appId, { ...(await headersOf()), ...GZIP });
    expect(response.status).toBe(status);
    expect(await rowOf(appId)).toEqual(before);
    expect(await archivesOf(appId)).toEqual([]);
  });

  it('refuses an anonymous user, also for an app of their own', async () => {
    const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', {});
    const appId = await newApp();
    const { user } = body.session;
    await backend.pool.query('update public.resources set user_id = $2 where id = $1', [
      appId,
      user.id,
    ]);
    expect((await upload(appId, bearer(body.session))).status).toBe(403);
    expect(await archivesOf(appId)).toEqual([]);
  });

  it.each<[string, Buffer, Record<string, string>, number, string]>([
    [
      'a hostile archive',
      archiveOf([{ path: '../a', content: 'x' }]),
      GZIP,
      400,
      'invalid-archive',
    ],
    ['a damaged archive', ARCHIVE.subarray(0, 40), GZIP, 400, 'invalid-archive'],
    [
      'a large archive',
      Buffer.concat([ARCHIVE, Buffer.alloc(100_000)]),
      GZIP,
      413,
      'archive-too-large',
    ],
    ['another type', ARCHIVE, { 'content-type': 'application/zip' }, 415, 'unsupported-media-type'],
  ])('refuses %s and changes nothing', async (_, archive, headers, status, error) => {
    const appId = await newApp();
    const before = await rowOf(appId);
    const { body } = await upload(appId, { ...bearer(ada), ...headers }, archive);
    expect(body).toMatchObject({ status, error, message: expect.any(String) });
    expect(await rowOf(appId)).toEqual(before);
    expect(await archivesOf(appId)).toEqual([]);
    expect(await readdir(join(backend.folder, 'uploads/incoming'))).toEqual([]);
  });

  it('refuses a deleted app, also one that is deleted during the upload', async () => {
    const eve = await backend.signUp();
    const appId = await newApp(eve);
    const remove = () =>
      backend.pool.query('update public.resources set deleted = true where id = $1', [appId]);
    const uploading = await beginUpload(appId, bearer(eve));
    await remove();
    await uploading.sendRest();
    expect((await uploading.response).status).toBe(404);
    expect(await archivesOf(appId)).toEqual([]);
    expect((await upload(appId, bearer(eve))).status).toBe(404);
  });

  it('refuses a second upload of the account at the same time', async () => {
    const eve = await backend.signUp();
    const appId = await newApp(eve);
    const first = await beginUpload(appId, bearer(eve));
    expect((await upload(appId, bearer(eve))).body).toMatchObject({
      status: 409,
      error: 'upload-in-progress',
    });
    expect((await upload(await newApp(), bearer(ada))).status).toBe(200);
    await first.sendRest();
    expect((await first.response).status).toBe(200);
    expect((await upload(appId, bearer(eve))).status).toBe(200);
  });

  it('ends with the session of its user', async () => {
    const eve = await backend.signUp();
    const appId = await newApp(eve);
    const uploading = await beginUpload(appId, bearer(eve));
    await backend.post('/v1/auth/signout', { refreshToken: eve.refreshToken });
    await expect.poll(() => readdir(join(backend.folder, 'uploads/incoming'))).toEqual([]);
    await uploading.abort();
    expect((await uploading.response).status).toBe(401);
  });

  it('is limited for each user', async () => {
    const eve = await backend.signUp();
    const appId = await newApp(eve);
    const statuses: number[] = [];
    for (let at = 0; at < 31; at += 1) statuses.push((await upload(appId, bearer(eve))).status);
    expect(statuses.slice(29)).toEqual([200, 429]);
  });

  it('refuses an account whose disk space is used up', async () => {
    const full = await startBackend({ quota: { diskBytes: 1_000 }, usedBytes: async () => 1_000 });
    await full.signUp();
    const session = await full.signUp();
    const values = { userId: session.user.id, name: 'Shop' };
    const create = async (kind: 'project' | 'app', content: object) =>
      (
        await full.post<{ data: { insert_resources_one: { id: string } } }>(
          '/v1/graphql',
          {
            query: INSERT_RESOURCE,
            variables: {
              userId: session.user.id,
              chartName: chartNameOf(kind),
              chartVersion: '0.0',
              values: content,
            },
          },
          bearer(session),
        )
      ).body.data.insert_resources_one.id;
    const appId = await create('app', {
      ...appValues(await create('project', values)),
      ...WAITING,
    });
    const response = await full.request(`/v1/apps/${appId}/source`, {
      method: 'POST',
      body: ARCHIVE,
      headers: bearer(session),
    });
    expect(response.body).toMatchObject({ status: 413, error: 'disk-quota-reached' });
    await stopWithoutErrors(full);
  });
});

it('deploys the sample app', async () => {
  const appId = await newApp();
  const { status, body } = await backend.request(`/v1/apps/${appId}/sample`, {
    method: 'POST',
    headers: bearer(ada),
  });
  expect({ status, files: body.files }).toEqual({ status: 200, files: 3 });
  expect((await rowOf(appId)).values).toMatchObject({ instances: 1 });
});

it.each([
  ['insert', 'a'.repeat(64)],
  ['insert', 'A'.repeat(64)],
])('lets nobody name an upload in an %s', async (_, digest) => {
  const project = await insert('project', { userId: ada.user.id, name: 'Shop' });
  const source = { enabled: true, url: `upload:${digest}`, ref: 'main' };
  const { body } = await backend.post(
    '/v1/graphql',
    {
      query: INSERT_RESOURCE,
      variables: {
        userId: ada.user.id,
        chartName: chartNameOf('app'),
        chartVersion: '0.0',
        values: { ...appValues(project), source },
      },
    },
    bearer(ada),
  );
  expect(JSON.stringify(body)).toContain('values.source.url: ');
});

function token(value: string): Record<string, string> {
  return { authorization: `Bearer ${value}` };
}

async function endedSession(): Promise<Record<string, string>> {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
    email: ada.user.email,
    password: 'correct horse',
  });
  await backend.post('/v1/auth/signout', { refreshToken: body.session.refreshToken });
  return bearer(body.session);
}

async function expiredPat(): Promise<Record<string, string>> {
  const value = await newPat(ada, 1);
  await backend.pool.query(
    `update auth.personal_access_tokens set expires_at = now() - interval '1 hour'`,
  );
  return token(value);
}
