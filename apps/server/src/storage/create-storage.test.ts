import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@longshore/edge-contract';
import { createSimulatedClock } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
import { fileClient, filesOnDisk } from '../../test/storage/file-client.ts';
import { hasS3Server, startS3Server } from '../../test/storage/s3-server.ts';
import type { MovedFiles } from '../move/move-files.ts';
import { Secret } from '../secrets/secret.ts';
import { createStorage, type StorageOptions } from './create-storage.ts';
import { FileStoreDown } from './file-store.ts';

const DAY_S = 86_400;
/** Of the object store, once per machine. */
const COMPILE_MS = 900_000;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

/** A server that is started on the same data. */
function openNext(changes: Partial<StorageOptions> = {}) {
  return createStorage({
    db: backend.db,
    clock: systemClock,
    folder: join(backend.folder, 'files'),
    keys: backend.keys,
    maxFileBytes: 100,
    quotaBytes: 1_000,
    url: 'http://localhost:1337/v1/storage',
    version: '0.1.0',
    resolveCaller: async () => ({ kind: 'unauthenticated' }),
    logError: (error) => void backend.errors.push(error),
    ...changes,
  });
}

it('removes unreferenced files daily, except those of running uploads', async () => {
  const ada = await backend.signUp();
  await fileClient(backend, ada).upload('mine');
  const kept = await filesOnDisk(backend);
  const orphan = (name: string) => join(backend.folder, 'files', 'kept', name);
  for (const name of ['old', 'new']) await writeFile(orphan(name), 'x');
  const yesterday = Date.now() / 1_000 - DAY_S - 10;
  for (const name of ['old', ...kept]) await utimes(orphan(name), yesterday, yesterday);

  await backend.storage.removeOrphans(new AbortController().signal);
  expect((await filesOnDisk(backend)).sort()).toEqual([...kept, 'new'].sort());

  await backend.db.deleteFrom('auth.users').where('id', '=', ada.user.id).execute();
  await backend.storage.removeOrphans(new AbortController().signal);
  expect(await filesOnDisk(backend)).toEqual(['new']);
});

it('removes files of interrupted uploads at the start', async () => {
  const client = fileClient(backend, await backend.signUp());
  const { id } = await client.upload('mine');
  const orphan = join(backend.folder, 'files', 'kept', 'left-behind');
  await writeFile(orphan, 'x');
  const earlier = Date.now() / 1_000 - 10;
  await utimes(orphan, earlier, earlier);
  const next = await openNext();
  await expect.poll(() => filesOnDisk(backend)).not.toContain('left-behind');
  await next.stop();
  expect(await (await client.request(`/files/${id}`)).text()).toBe('mine');
});

it.skipIf(!hasS3Server)(
  'uses an object store beside the files on disk',
  { timeout: COMPILE_MS },
  async () => {
    const ada = await backend.signUp();
    const { id: former } = await fileClient(backend, ada).upload('on disk');
    const onDisk = await filesOnDisk(backend);
    const server = await startS3Server();
    onTestFinished(server.stop);
    const errors: unknown[] = [];
    const { service, stop } = await openNext({
      s3: { ...server.settings, folder: 'files' },
      resolveCaller: async () => ({ kind: 'user', userId: ada.user.id, role: 'user', roles: [] }),
      logError: (error) => void errors.push(error),
    });
    const form = new FormData();
    form.append('file[]', new Blob(['in the bucket']), 'a.txt');
    const uploaded = await service.request('/files', { method: 'POST', body: form });
    const { processedFiles } = (await uploaded.json()) as { processedFiles: { id: string }[] };
    const stored = processedFiles[0]?.id ?? '';

    const text = async (id: string) => (await service.request(`/files/${id}`)).text();
    expect([await text(former), await text(stored)]).toEqual(['on disk', 'in the bucket']);
    expect(await filesOnDisk(backend)).toEqual(onDisk);
    expect(await server.names()).toHaveLength(1);
    await service.request(`/files/${former}`, { method: 'DELETE' });
    expect(await filesOnDisk(backend)).toHaveLength(onDisk.length - 1);

    await server.stop();
    const response = await service.request(`/files/${stored}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('x-error')).toBe(
      'the file store is not available, try again later',
    );
    expect(errors).toEqual([expect.any(FileStoreDown)]);
    await stop();
  },
);

it.skipIf(!hasS3Server)(
  'copies the files on disk to the object store of several servers, except damaged ones',
  { timeout: COMPILE_MS },
  async () => {
    const ada = await backend.signUp();
    const { upload } = fileClient(backend, ada);
    const { id: copied } = await upload('on disk');
    const known = await filesOnDisk(backend);
    await upload('scratched');
    const keyOfDamaged = (await filesOnDisk(backend)).find((key) => !known.includes(key)) ?? '';
    await writeFile(join(backend.folder, 'files', 'kept', keyOfDamaged), 'scr*tched');
    const server = await startS3Server();
    onTestFinished(server.stop);
    const s3 = { ...server.settings, folder: 'files' };
    const first = Promise.withResolvers<MovedFiles>();
    const { stop } = await openNext({ s3, onFilesShared: first.resolve });
    expect((await first.promise).unreadable).toEqual([keyOfDamaged]);
    await stop();

    const none = Promise.withResolvers<MovedFiles>();
    const second = await openNext({
      s3,
      folder: join(backend.folder, 'files-of-another-server'),
      resolveCaller: async () => ({ kind: 'user', userId: ada.user.id, role: 'user', roles: [] }),
      onFilesShared: none.resolve,
    });
    expect(await none.promise).toEqual({ files: 0, bytes: 0, unreadable: [] });
    expect(await (await second.service.request(`/files/${copied}`)).text()).toBe('on disk');
    expect((await server.names()).filter((name) => name.includes(keyOfDamaged))).toEqual([]);
    await second.stop();
  },
);

it('copies files again after a pause while the object store does not answer', async () => {
  await fileClient(backend, await backend.signUp()).upload('on disk');
  const clock = createSimulatedClock();
  const errors: unknown[] = [];
  const { stop } = await openNext({
    clock,
    s3: {
      endpoint: 'http://127.0.0.1:1',
      bucket: 'files',
      region: 'here',
      prefix: '',
      accessKeyId: 'ada',
      secretAccessKey: new Secret('hunter2'),
      folder: 'files',
    },
    onFilesShared: () => errors.push('There is no object store.'),
    logError: (error) => void errors.push(error),
  });
  // Of the copy, and of the search for unfinished uploads.
  await expect.poll(() => errors).toHaveLength(2);
  await clock.advance(29_000);
  expect(errors).toHaveLength(2);
  await clock.advance(1_000);
  await expect.poll(() => errors).toHaveLength(3);
  await stop();
  expect(errors.every((error) => error instanceof FileStoreDown)).toBe(true);
});
