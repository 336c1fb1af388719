import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLLBACK_APP, releaseValues, type Session } from '@longshore/contract';
import { createSimulatedClock } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { filesArchive } from '../../test/uploads/archives.ts';
import { uploadFixture } from '../../test/uploads/upload-fixture.ts';
import { VARIABLES } from '../../test/values.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';

const clock = createSimulatedClock();
const MINUTE_MS = 60_000;
const PAUSE_MS = 20_000;

let backend: Backend;
let ada: Session;
beforeAll(async () => {
  backend = await startBackend({ clock });
  ada = await backend.signUp();
});
afterAll(() => stopWithoutErrors(backend));

const { newApp, upload, beginUpload, rowOf, archivesOf } = uploadFixture(() => ({
  backend,
  user: ada,
}));

async function incoming(): Promise<string[]> {
  return await readdir(join(backend.folder, 'uploads/incoming'));
}

it('ends when its personal access token is revoked, and changes nothing', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await backend.post('/v1/auth/pat', { expiresAt }, bearer(ada));
  const appId = await newApp();
  const before = await rowOf(appId);
  const uploading = await beginUpload(appId, {
    authorization: `Bearer ${body.personalAccessToken}`,
  });
  await expect.poll(incoming).toHaveLength(1);
  const revoked = await backend.request(`/v1/auth/personal-access-tokens/${body.id}`, {
    method: 'DELETE',
    headers: bearer(ada),
  });
  expect(revoked.status).toBe(200);
  expect((await uploading.response).body).toMatchObject({
    status: 401,
    message: 'The session has ended',
  });
  await uploading.abort();
  expect(await rowOf(appId)).toEqual(before);
  expect(await archivesOf(appId)).toEqual([]);
  expect(await incoming()).toEqual([]);
});

it('ends after ten minutes, also if bytes arrive all the time', async () => {
  const appId = await newApp();
  const uploading = await beginUpload(appId, bearer(ada));
  let hasEnded = false;
  const ended = uploading.response.finally(() => {
    hasEnded = true;
  });
  // One stored block of 30 kB: the file in the archive is never complete.
  await uploading.send(Buffer.from([0, 0x30, 0x75, 0xcf, 0x8a]));
  for (let passedMs = 0; passedMs < 10 * MINUTE_MS; passedMs += PAUSE_MS) {
    expect(hasEnded).toBe(false);
    await uploading.send(Buffer.alloc(10));
    await clock.advance(PAUSE_MS);
  }
  expect((await ended).body).toMatchObject({
    status: 408,
    message: 'The upload took too long to arrive',
  });
  await uploading.abort();
  expect(await archivesOf(appId)).toEqual([]);
  expect(await incoming()).toEqual([]);
  expect((await upload(appId, bearer(ada))).status).toBe(200);
});

it('is refused while four others are in progress, and accepted after one of them', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => backend.signUp()));
  const apps = await Promise.all(users.map((user) => newApp(user)));
  const uploads = await Promise.all(
    users.map((user, at) => beginUpload(apps[at] ?? '', bearer(user))),
  );
  const appId = await newApp();
  const refused = await upload(appId, bearer(ada));
  expect(refused.body).toMatchObject({ status: 503, error: 'too-many-uploads' });
  expect(await archivesOf(appId)).toEqual([]);
  await uploads[0]?.sendRest();
  expect((await uploads[0]?.response)?.status).toBe(200);
  expect((await upload(appId, bearer(ada))).status).toBe(200);
  for (const { sendRest, response } of uploads.slice(1)) {
    await sendRest();
    expect((await response).status).toBe(200);
  }
});

it('can be rolled back to while its archive is kept', async () => {
  const store = createReconcilerStore({ db: backend.db, variables: VARIABLES });
  const appId = await newApp();
  const digests: string[] = [];
  for (const text of ['first', 'second']) {
    const archive = filesArchive({ 'index.html': `${text} ${randomBytes(8).toString('hex')}` });
    const { body } = await upload(appId, bearer(ada), archive);
    digests.push(String(body.digest));
    await deployed(String(body.digest));
  }
  const [first = '', second = ''] = digests;
  const { status, body } = await backend.post(
    '/v1/graphql',
    { query: ROLLBACK_APP, variables: { id: appId, release: 1 } },
    bearer(ada),
  );
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: { rollback_app: { id: appId } } },
  });
  expect((await rowOf(appId)).values.source).toMatchObject({ url: `upload:${first}`, ref: first });
  expect((await archivesOf(appId)).sort()).toEqual(
    [first, second].map((digest) => `${digest}.tar.gz`).sort(),
  );
  const third = await upload(appId, bearer(ada));
  expect((await rowOf(appId)).values.source.url).toBe(`upload:${third.body.digest}`);

  /** Adds a live release of the current values. */
  async function deployed(revision: string): Promise<void> {
    const app = await store.app(appId);
    if (app === undefined) throw new Error('There is no app');
    const release = { appId, generation: app.generation, desiredHash: revision };
    const { number } = await store.addRelease({ ...release, values: releaseValues(app.values) });
    await store.setRevision(appId, number, revision);
    await store.endRelease({ appId, number, outcome: 'live' });
  }
});
